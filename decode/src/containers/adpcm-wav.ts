/**
 * The two 4-bit ADPCM codecs of WAV. Every block starts with the state of its decoder, so a damaged block does not affect the others.
 *
 * Microsoft, New Multimedia Data Types and Data Techniques, 1994 (both, as WAV stores them); Interactive Multimedia Association,
 * Recommended Practices for Enhancing Digital Audio Compatibility in Multimedia Systems, 1992 (IMA's tables of steps).
 */

import { corrupt } from '../decode-error.ts';
import { type AudioStream, type Samples, silence } from '../stream/audio-stream.ts';
import { viewOf } from '../stream/binary.ts';
import type { ByteSource } from '../stream/file-bytes.ts';
import { type Region, readRegion } from './pcm-region.ts';
import { MICROSOFT_ADPCM, type WaveFormat } from './wave-format.ts';

export function openAdpcm(
  source: ByteSource,
  region: Region,
  format: WaveFormat,
  container: string,
): AudioStream {
  const isMicrosoft = format.tag === MICROSOFT_ADPCM;
  const { channelCount, blockAlignBytes } = format;
  const headerBytes = (isMicrosoft ? 7 : 4) * channelCount;
  if (blockAlignBytes <= headerBytes || channelCount > 2) {
    throw corrupt('The WAV file declares ADPCM with blocks or channels that cannot be.');
  }
  // Two nibbles per byte, and the samples in the header itself.
  const blockSamples = ((blockAlignBytes - headerBytes) * 2) / channelCount + (isMicrosoft ? 2 : 1);
  const decodeBlock = isMicrosoft
    ? (block: Uint8Array, out: Samples, firstSample: number) =>
        decodeMicrosoftBlock(block, out, firstSample, format)
    : decodeImaBlock;
  const convert = (bytes: Uint8Array) => {
    const blockCount = bytes.length / blockAlignBytes;
    const out = silence(channelCount, blockCount * blockSamples);
    for (let i = 0; i < blockCount; i++) {
      decodeBlock(bytes.subarray(i * blockAlignBytes, (i + 1) * blockAlignBytes), out, i * blockSamples);
    }
    return out;
  };
  return {
    container,
    codec: isMicrosoft ? 'MS ADPCM' : 'IMA ADPCM',
    decoder: 'earshot-adpcm',
    sampleRateHz: format.sampleRateHz,
    channelCount,
    bitDepth: 4,
    ...readRegion(source, region, { byteLength: blockAlignBytes, sampleCount: blockSamples, convert }),
  };
}

const IMA_INDEX_STEPS = [-1, -1, -1, -1, 2, 4, 6, 8];
const IMA_STEP_SIZES = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
  107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724,
  796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026,
  4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500,
  20350, 22385, 24623, 27086, 29794, 32767,
];

/** A block has a header of four bytes per channel, then groups of eight nibbles for each channel in turn. */
function decodeImaBlock(block: Uint8Array, out: Samples, firstSample: number): void {
  const view = viewOf(block);
  const channelCount = out.length;
  for (const [channel, samples] of out.entries()) {
    let predictor = view.getInt16(channel * 4, true);
    let stepIndex = Math.min(88, block[channel * 4 + 2]!);
    let sampleIndex = firstSample;
    samples[sampleIndex++] = predictor / 32768;
    for (let group = 4 * (channelCount + channel); group + 4 <= block.length; group += 4 * channelCount) {
      for (let i = 0; i < 8; i++) {
        const nibble = (block[group + (i >> 1)]! >> ((i & 1) * 4)) & 15;
        const step = IMA_STEP_SIZES[stepIndex]!;
        const delta =
          (step >> 3) + (nibble & 1 ? step >> 2 : 0) + (nibble & 2 ? step >> 1 : 0) + (nibble & 4 ? step : 0);
        predictor = clamp16(nibble & 8 ? predictor - delta : predictor + delta);
        stepIndex = Math.max(0, Math.min(88, stepIndex + IMA_INDEX_STEPS[nibble & 7]!));
        samples[sampleIndex++] = predictor / 32768;
      }
    }
  }
}

const MS_ADAPTATION = [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];
/** Weights of the newer and the older sample, in 256ths. */
const MS_COEFFICIENTS = [
  [256, 0],
  [512, -256],
  [0, 0],
  [192, 64],
  [240, 0],
  [460, -208],
  [392, -232],
];

/** A block has headers that are interleaved by field, then one nibble for each channel in turn, high nibble first. */
function decodeMicrosoftBlock(
  block: Uint8Array,
  out: Samples,
  firstSample: number,
  format: WaveFormat,
): void {
  const view = viewOf(block);
  const channelCount = out.length;
  const coefficients = readMicrosoftCoefficients(format.extra);
  const states = out.map((samples, channel) => {
    // A damaged index takes the first pair.
    const [newerWeight, olderWeight] = coefficients[block[channel]!] ?? MS_COEFFICIENTS[0]!;
    const word = (field: number) => view.getInt16(channelCount + 2 * (field * channelCount + channel), true);
    const state = {
      newerWeight: newerWeight!,
      olderWeight: olderWeight!,
      delta: word(0),
      newer: word(1),
      older: word(2),
    };
    samples[firstSample] = state.older / 32768;
    samples[firstSample + 1] = state.newer / 32768;
    return state;
  });
  let nibbleIndex = 0;
  for (const byte of block.subarray(7 * channelCount)) {
    for (const nibble of [byte >> 4, byte & 15]) {
      const channel = nibbleIndex % channelCount;
      const state = states[channel]!;
      const signed = nibble < 8 ? nibble : nibble - 16;
      const prediction = (state.newer * state.newerWeight + state.older * state.olderWeight) >> 8;
      state.older = state.newer;
      state.newer = clamp16(prediction + signed * state.delta);
      state.delta = Math.max(16, (MS_ADAPTATION[nibble]! * state.delta) >> 8);
      out[channel]![firstSample + 2 + Math.floor(nibbleIndex / channelCount)] = state.newer / 32768;
      nibbleIndex++;
    }
  }
}

/** A file may have a table of its own, which begins with the seven standard pairs. */
function readMicrosoftCoefficients(extra: Uint8Array): number[][] {
  const view = viewOf(extra);
  const count = extra.length >= 4 ? view.getUint16(2, true) : 0;
  if (count < 7 || extra.length < 4 + count * 4) return MS_COEFFICIENTS;
  return Array.from({ length: count }, (_, i) => [
    view.getInt16(4 + i * 4, true),
    view.getInt16(6 + i * 4, true),
  ]);
}

function clamp16(value: number): number {
  return Math.max(-32768, Math.min(32767, value));
}
