import type { ByteSource } from '../stream/file-bytes.ts';

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    byteSize: bytes.length,
    view: (position, byteLength) =>
      position < 0 ? bytes.subarray(0, 0) : bytes.subarray(position, position + byteLength),
  };
}
