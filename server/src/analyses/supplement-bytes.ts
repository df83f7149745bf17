import { deflateSync, inflateSync } from 'node:zlib';
import type { Heatmap, SegmentSounds, Supplement } from '@earshot/engine';

/**
 * The supplement of an analysis as stored in the column `visuals`, whose name is older than the segments: the length of the
 * header (32 bits), the header (sizes as JSON), the pixels of spectrogram and chromagram, then the pitches (bytes) and the
 * timbre (16 bits) of the segments. Little-endian, deflated as a whole. Without segments it ends after the pixels.
 */

const LENGTH_BYTES = 4;
/** Pitches: one per pitch class. Timbre: as many coefficients. */
const VALUES_PER_SEGMENT = 12;
type PictureSize = Omit<Heatmap, 'values'>;
type Sizes = [PictureSize, PictureSize, Pick<SegmentSounds, 'segmentCount'>?];

export function packSupplement({ visuals, segmentSounds }: Supplement): Uint8Array {
  const { spectrogram, chromagram } = visuals;
  const sizes: Sizes = [sizeOf(spectrogram), sizeOf(chromagram)];
  if (segmentSounds) sizes.push({ segmentCount: segmentSounds.segmentCount });
  const header = Buffer.from(JSON.stringify(sizes));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(header.length);
  const sounds = segmentSounds ? [segmentSounds.pitches, int16ToBytes(segmentSounds.timbre)] : [];
  return deflateSync(Buffer.concat([length, header, spectrogram.values, chromagram.values, ...sounds]));
}

export function unpackSupplement(packed: Uint8Array): Supplement {
  const bytes = inflateSync(packed);
  let offsetBytes = LENGTH_BYTES + bytes.readUInt32LE(0);
  const [first, second, segments] = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, offsetBytes)) as Sizes;
  const take = (byteCount: number): Buffer => {
    offsetBytes += byteCount;
    return bytes.subarray(offsetBytes - byteCount, offsetBytes);
  };
  const spectrogram = { ...first, values: take(first.rowCount * first.columnCount) };
  const chromagram = { ...second, values: take(second.rowCount * second.columnCount) };
  if (!segments) return { visuals: { spectrogram, chromagram }, segmentSounds: null };
  const { segmentCount } = segments;
  const valueCount = VALUES_PER_SEGMENT * segmentCount;
  const pitches = take(valueCount);
  const timbre = bytesToInt16(take(Int16Array.BYTES_PER_ELEMENT * valueCount));
  return { visuals: { spectrogram, chromagram }, segmentSounds: { segmentCount, pitches, timbre } };
}

function sizeOf({ rowCount, columnCount, secondsPerColumn }: Heatmap): PictureSize {
  return { rowCount, columnCount, secondsPerColumn };
}

function int16ToBytes(values: Int16Array): Buffer {
  const bytes = Buffer.alloc(values.byteLength);
  values.forEach((value, index) => {
    bytes.writeInt16LE(value, index * Int16Array.BYTES_PER_ELEMENT);
  });
  return bytes;
}

function bytesToInt16(bytes: Buffer): Int16Array {
  const length = bytes.length / Int16Array.BYTES_PER_ELEMENT;
  return Int16Array.from({ length }, (_, index) => bytes.readInt16LE(index * Int16Array.BYTES_PER_ELEMENT));
}
