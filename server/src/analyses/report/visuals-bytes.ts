import { deflateSync, inflateSync } from 'node:zlib';
import type { Heatmap, Visuals } from '@earshot/engine';

/**
 * The pictures of an analysis as stored: a length, the sizes as JSON, then the pixels of spectrogram and chromagram, all
 * deflated together.
 */

const LENGTH_BYTES = 4;
type Size = Omit<Heatmap, 'values'>;

export function packVisuals({ spectrogram, chromagram }: Visuals): Uint8Array {
  const sizes = Buffer.from(JSON.stringify([spectrogram, chromagram].map(sizeOf)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(sizes.length);
  return deflateSync(Buffer.concat([length, sizes, spectrogram.values, chromagram.values]));
}

export function unpackVisuals(packed: Uint8Array): Visuals {
  const bytes = inflateSync(packed);
  const pixelsAt = LENGTH_BYTES + bytes.readUInt32LE(0);
  const [first, second] = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, pixelsAt)) as [Size, Size];
  const middle = pixelsAt + first.rowCount * first.columnCount;
  return {
    spectrogram: { ...first, values: bytes.subarray(pixelsAt, middle) },
    chromagram: { ...second, values: bytes.subarray(middle, middle + second.rowCount * second.columnCount) },
  };
}

function sizeOf({ rowCount, columnCount, secondsPerColumn }: Heatmap): Size {
  return { rowCount, columnCount, secondsPerColumn };
}
