import { isModuleNotFound } from '../codecs/optional-package.ts';
import { DecodeError } from '../decode-error.ts';
import type { ErrorMessage } from '../messages.ts';

/** Any error of a codec or container is blamed on its input, unless memory ran out or a module is missing. */
export function describeFailure(error: unknown): ErrorMessage {
  const detail = error instanceof Error ? `${error.stack}\n${error.cause ?? ''}` : String(error);
  if (error instanceof DecodeError) return { code: error.code, message: error.message, detail };
  if (error instanceof RangeError && /allocation|memory/i.test(error.message)) {
    return { code: 'out_of_memory', message: 'Decoding the file takes more memory than it may.', detail };
  }
  if (error instanceof Error && isModuleNotFound(error)) {
    return { code: 'decoder_failed', message: 'The decoder failed.', detail };
  }
  return { code: 'corrupt_audio', message: 'The audio is damaged and cannot be decoded.', detail };
}
