import type { Samples } from '../stream/audio-stream.ts';
import type { ByteSource } from '../stream/file-bytes.ts';

export type Region = { start: number; end: number };

const BLOCK_BYTES = 128 * 1024;

/** Reads a run of fixed-size units in blocks of whole units; a last incomplete unit is left out. */
export function* readPcmBlocks(
  source: ByteSource,
  region: Region,
  unitBytes: number,
  convert: (bytes: Uint8Array) => Samples,
): Generator<Samples> {
  const blockBytes = Math.max(1, Math.floor(BLOCK_BYTES / unitBytes)) * unitBytes;
  for (let position = region.start; position + unitBytes <= region.end; ) {
    const wanted = Math.min(blockBytes, region.end - position);
    const bytes = source.view(position, wanted - (wanted % unitBytes));
    if (bytes.length < unitBytes) return;
    yield convert(bytes);
    position += bytes.length;
  }
}
