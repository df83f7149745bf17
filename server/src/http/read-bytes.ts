import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { formatBytes } from '../platform/format-bytes.ts';

/** The largest of these bodies, 1 MiB, needs 52 KB/s. */
const BODY_TIMEOUT_MS = 20_000;

/** Reads the whole body of a small request; throws when it is compressed, too large or too slow. */
export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (request.headers['content-encoding'] !== undefined) {
    throw new AppError('unsupported_media', 'Send the body as it is, without a Content-Encoding.');
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let byteCount = 0;
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('error', fail).off('close', close);
      finish();
    };
    const timer = setTimeout(() => {
      settle(() => reject(new AppError('bad_request', 'The body did not arrive in time.')));
    }, BODY_TIMEOUT_MS);
    const take = (chunk: Buffer) => {
      byteCount += chunk.length;
      if (byteCount > bytesMax) settle(() => reject(tooLarge(bytesMax)));
      else chunks.push(chunk);
    };
    const end = () => settle(() => resolve(Buffer.concat(chunks)));
    const fail = (error: Error) => {
      settle(() => reject(new AppError('bad_request', 'The body could not be read.', { cause: error })));
    };
    const close = () => fail(new Error('The connection closed before the body was complete'));
    request.on('data', take).on('end', end).on('error', fail).on('close', close);
  });
}

function tooLarge(bytesMax: number): AppError {
  return new AppError(
    'payload_too_large',
    `The body is larger than the ${formatBytes(bytesMax)} this route takes.`,
  );
}
