/**
 * What the child writes to its standard output: a 16-byte header (kind, payload bytes, fraction of the input read so
 * far) and a payload, JSON or planar float32 samples in the byte order of the machine. The parent trusts none of it: the
 * child has read hostile bytes.
 */

import type { AudioFileInfo, Damage } from './audio-file-info.ts';

export const HEADER_BYTES = 16;
/** A block holds at most this many bytes; JSON is smaller by far. */
export const PAYLOAD_BYTES_MAX = 4 * 2 ** 20;

export const MESSAGE_KINDS = ['start', 'samples', 'end', 'error'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export type StartMessage = { info: AudioFileInfo };
export type EndMessage = { nonFiniteSamples: number; damage: Damage | null };
export type ErrorMessage = { code: string; message: string; detail: string };

export type Message = { kind: MessageKind; fraction: number; payload: ArrayBuffer };

export function encodeHeader(kind: MessageKind, payloadBytes: number, fraction: number): Uint8Array {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  header.setUint32(0, MESSAGE_KINDS.indexOf(kind), true);
  header.setUint32(4, payloadBytes, true);
  header.setFloat64(8, fraction, true);
  return new Uint8Array(header.buffer);
}

/** Null when the bytes are no header of ours. */
export function decodeHeader(
  bytes: Uint8Array,
): { kind: MessageKind; payloadBytes: number; fraction: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = MESSAGE_KINDS[view.getUint32(0, true)];
  const payloadBytes = view.getUint32(4, true);
  const fraction = view.getFloat64(8, true);
  if (kind === undefined || payloadBytes > PAYLOAD_BYTES_MAX || !(fraction >= 0 && fraction <= 1))
    return null;
  return { kind, payloadBytes, fraction };
}

/** Cuts a byte stream into messages, reading no further than asked so that the pipe pushes back on the child. */
export async function* readMessages(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Message, void> {
  const headerBytes = new Uint8Array(HEADER_BYTES);
  let headerFill = 0;
  let header: ReturnType<typeof decodeHeader> = null;
  let payload = new Uint8Array(0);
  let payloadFill = 0;
  for await (const chunk of stream) {
    let offset = 0;
    while (offset < chunk.length) {
      if (!header) {
        const taken = Math.min(HEADER_BYTES - headerFill, chunk.length - offset);
        headerBytes.set(chunk.subarray(offset, offset + taken), headerFill);
        headerFill += taken;
        offset += taken;
        if (headerFill < HEADER_BYTES) break;
        headerFill = 0;
        header = decodeHeader(headerBytes);
        if (!header) throw new Error('the decoder wrote something that is not a message');
        // Not zeroed, because every byte is written before anyone sees it; slow, because a pool would be shared.
        payload = Buffer.allocUnsafeSlow(header.payloadBytes);
        payloadFill = 0;
      }
      const taken = Math.min(header.payloadBytes - payloadFill, chunk.length - offset);
      payload.set(chunk.subarray(offset, offset + taken), payloadFill);
      payloadFill += taken;
      offset += taken;
      if (payloadFill < header.payloadBytes) break;
      yield { kind: header.kind, fraction: header.fraction, payload: payload.buffer };
      header = null;
    }
  }
}
