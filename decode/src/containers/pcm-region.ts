/** Samples stored back to back in units of one size, as in most WAV, AIFF and AU files. */

import { deinterleave, type PcmEncoding, pcmCodecName } from '../codecs/pcm.ts';
import { type AudioStream, newHealth, type Samples } from '../stream/audio-stream.ts';
import type { ByteSource } from '../stream/file-bytes.ts';

/** The place of the samples as the file declares it. A truncated file ends earlier. */
export type Region = { start: number; byteLength: number };

type PcmFormat = {
  container: string;
  encoding: PcmEncoding;
  sampleRateHz: number;
  channelCount: number;
  bitDepth: number;
  /** The distance from one sample to the next. */
  strideBytes: number;
};

export function openPcm(source: ByteSource, region: Region, format: PcmFormat): AudioStream {
  const { container, encoding, sampleRateHz, channelCount, bitDepth, strideBytes } = format;
  const convert = (bytes: Uint8Array) => deinterleave(bytes, encoding, channelCount, strideBytes);
  return {
    container,
    codec: pcmCodecName(encoding),
    decoder: 'earshot-pcm',
    sampleRateHz,
    channelCount,
    bitDepth,
    ...readRegion(source, region, { byteLength: strideBytes, sampleCount: 1, convert }),
  };
}

/** The smallest piece that can be decoded. `convert` gets several units at once; an incomplete unit at the end is dropped. */
type Unit = { byteLength: number; sampleCount: number; convert: (bytes: Uint8Array) => Samples };

export function readRegion(
  source: ByteSource,
  region: Region,
  unit: Unit,
): Pick<AudioStream, 'nominalBitRateBps' | 'audioBytes' | 'declaredSamples' | 'blocks' | 'health'> {
  const health = newHealth();
  health.truncated = region.start + region.byteLength > source.byteSize;
  return {
    nominalBitRateBps: null,
    audioBytes: region.byteLength,
    declaredSamples: Math.floor(region.byteLength / unit.byteLength) * unit.sampleCount,
    blocks: readBlocks(source, region, unit),
    health,
  };
}

/** Three quarters of a second of CD audio per block. */
const BLOCK_BYTES = 128 * 1024;

function* readBlocks(source: ByteSource, { start, byteLength }: Region, unit: Unit): Generator<Samples> {
  const blockBytes = Math.max(1, Math.floor(BLOCK_BYTES / unit.byteLength)) * unit.byteLength;
  const end = Math.min(start + byteLength, source.byteSize);
  for (let position = start; position + unit.byteLength <= end; position += blockBytes) {
    const availableBytes = Math.min(blockBytes, end - position);
    yield unit.convert(source.view(position, availableBytes - (availableBytes % unit.byteLength)));
  }
}
