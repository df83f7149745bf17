/**
 * What do listeners call this music? A convolutional network reads a patch of three seconds and gives each of its tags a logit.
 *
 * 1. filters up to two thirds of the spectrum tall and 0.1 s wide for timbre: the largest response over the bands counts, so that pitch does not matter;
 *    filters one band tall and up to 2 s long for rhythm.
 * 2. three layers in time, each seven frames wide.
 * 3. largest and mean value of every channel over the patch, 200 hidden units, the tags.
 *
 * Pons and Serra, "musicnn: pre-trained convolutional neural networks for music audio tagging", ISMIR late-breaking 2019; Won, Ferraro,
 * Bogdanov and Serra, "Evaluation of CNN-based automatic music tagging models", SMC 2020. The weights are theirs (training/README.md).
 */

import { createFixedRows, type FixedConvolution } from '../learned/fixed-convolution.ts';
import type { ModelFile } from '../learned/model-file.ts';
import type { NetworkKernels } from '../learned/network-kernels.ts';
import { BLOCK_CHANNELS, convolveFloats, padChannels } from '../learned/packed-convolution.ts';
import {
  BAND_COUNT,
  loadTaggerLayers,
  type Rectifier,
  type TaggerLayers,
  type TaggerSizes,
  type TallBank,
  TIME_TAPS,
} from './tagger-layers.ts';

/** The logits of the tags, and the hidden units, which are 0 or more. */
export type TaggedPatch = { logits: Float32Array; hidden: Float32Array };

export type Tagger = {
  sizes: TaggerSizes;
  /** Reads `frameCount` rows of the power in 96 mel bands. */
  tag(power: Float32Array): TaggedPatch;
};

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const WORD_BYTES = Int16Array.BYTES_PER_ELEMENT;
/** Rows of zeros before and after the frames: the padding of the layers in time. */
const MARGIN_ROWS = (TIME_TAPS - 1) / 2;
/** Those of the published front ends: log10(1 + 10,000 x), or decibels with a floor at 1e-10. */
const LOGARITHMS = {
  compressed: { gain: 10_000, shift: 1, floor: 1, perNeper: 1 / Math.LN10 },
  decibel: { gain: 1, shift: 0, floor: 1e-10, perNeper: 10 / Math.LN10 },
};

export function createTagger(kernels: NetworkKernels, model: ModelFile): Tagger {
  const layers = loadTaggerLayers(kernels, model);
  const { sizes, frontCount } = layers;
  const { frameCount, channels } = sizes;
  const input = kernels.allocateFloats(inputFloats(frameCount));
  const front = createPaddedRows(kernels, frameCount, padChannels(frontCount + 1));
  const rows = layers.time.map(() => createPaddedRows(kernels, frameCount, channels));
  const applyTall = createTallFilters(kernels, layers, input.pointer);
  const applyLong = createLongFilters(kernels, layers, input.pointer);
  const sums = kernels.allocateFloats(frameCount * channels);
  const pooled = kernels.allocateFloats(2 * (frontCount + 3 * channels));
  const hidden = kernels.allocateFloats(padChannels(sizes.hidden));
  const logits = kernels.allocateFloats(padChannels(sizes.tags.length));
  // The channel of time0.constant (tagger-layers.ts): one inside the patch, zero in the margins.
  for (let frame = 0; frame < frameCount; frame++)
    front.view[(frame + MARGIN_ROWS) * front.width + frontCount] = 1;

  return {
    sizes,
    tag(power) {
      takeLogarithms(kernels, layers, power, input);
      applyLong(applyTall(front), front);
      let before = front;
      rows.forEach((after, k) => {
        const { convolution, shift } = layers.time[k]!;
        convolveFloats(
          kernels,
          convolution,
          before.pointer,
          before.width,
          frameCount,
          before.width,
          sums.pointer,
          channels,
        );
        const residue = k === 0 ? 0 : before.first;
        kernels.exports.rectifyOnto(sums.pointer, frameCount, channels, shift, residue, after.first);
        before = after;
      });
      let channel = 0;
      for (const { first, width } of [front, ...rows]) {
        const count = channel === 0 ? frontCount : channels;
        const maxima = pooled.pointer + channel * BYTES;
        const means = maxima + (pooled.view.length / 2) * BYTES;
        kernels.exports.poolRows(first, width, frameCount, count, maxima, means);
        channel += count;
      }
      convolveFloats(kernels, layers.dense, pooled.pointer, 0, 1, 0, hidden.pointer, hidden.view.length);
      const units = hidden.view;
      for (let k = 0; k < units.length; k++) units[k] = Math.max(units[k]!, 0);
      convolveFloats(kernels, layers.tags, hidden.pointer, 0, 1, 0, logits.pointer, logits.view.length);
      return {
        logits: logits.view.slice(0, sizes.tags.length),
        hidden: hidden.view.slice(0, sizes.hidden),
      };
    },
  };
}

/** Rows of `width` floats with margins of zeros; the addresses of the first margin row and of the first frame. */
type PaddedRows = { pointer: number; first: number; width: number; readonly view: Float32Array };

function createPaddedRows(kernels: NetworkKernels, frameCount: number, width: number): PaddedRows {
  const region = kernels.allocateFloats((frameCount + 2 * MARGIN_ROWS) * width);
  return {
    pointer: region.pointer,
    first: region.pointer + MARGIN_ROWS * width * BYTES,
    width,
    // Kernel memory that grows replaces its views.
    get view() {
      return region.view;
    },
  };
}

function takeLogarithms(
  kernels: NetworkKernels,
  { sizes, scale, offset }: TaggerLayers,
  power: Float32Array,
  input: { pointer: number; view: Float32Array },
): void {
  const { gain, shift, floor, perNeper } = LOGARITHMS[sizes.logarithm];
  const at = MARGIN_ROWS * BAND_COUNT;
  const count = sizes.frameCount * BAND_COUNT;
  input.view.set(power.subarray(0, count), at);
  const pointer = input.pointer + at * BYTES;
  kernels.exports.takeLogarithms(pointer, pointer, count, gain, shift, floor, perNeper * scale, offset);
}

/** The size of the patch with its margins, and one more row because a filter of odd height reads one band beyond its last row. */
function inputFloats(frameCount: number): number {
  return (frameCount + 2 * MARGIN_ROWS + 1) * BAND_COUNT;
}

/** Writes the responses of the tall filters to the first channels of `front`; returns the next channel. */
function createTallFilters(
  kernels: NetworkKernels,
  { sizes: { frameCount, bandStep }, tall }: TaggerLayers,
  input: number,
): (front: PaddedRows) => number {
  const valueCount = inputFloats(frameCount);
  const toFixed = createFixedRows(kernels, valueCount);
  const countPositions = ({ bandCount }: TallBank): number =>
    Math.ceil((BAND_COUNT - bandCount + 1) / bandStep);
  const largest = createLargest(kernels, frameCount, tall);
  return (front) => {
    const words = toFixed(input, valueCount);
    let channel = 0;
    for (const bank of tall) {
      const width = padChannels(bank.filterCount);
      const layout = { positionStride: bandStep, positionCount: countPositions(bank), rowStride: BAND_COUNT };
      convolveLargest(kernels, bank.convolution, words, { ...layout, tapStride: BAND_COUNT }, largest);
      rectify(kernels, largest.out, width, bank, front, channel, frameCount);
      channel += bank.filterCount;
    }
    return channel;
  };
}

/** The same for the long filters, from channel `first` on: they read the patch transposed, one band after the other, or the mean of all bands. */
function createLongFilters(
  kernels: NetworkKernels,
  { sizes: { frameCount, longOver }, long }: TaggerLayers,
  input: number,
): (first: number, front: PaddedRows) => void {
  const past = Math.max(...long.map(({ tapCount }) => countPast(tapCount)));
  // A filter of even length reads one more frame after its output than before it.
  const lineFloats = padChannels(frameCount + 2 * past + 2);
  const lineCount = longOver === 'bands' ? BAND_COUNT : 1;
  const lines = kernels.allocateFloats(lineCount * lineFloats).pointer;
  const toFixed = createFixedRows(kernels, lineCount * lineFloats);
  const largest = createLargest(kernels, frameCount, long);
  const rows = input + MARGIN_ROWS * BAND_COUNT * BYTES;
  return (first, front) => {
    const firstOfLine = lines + past * BYTES;
    if (longOver === 'bands') kernels.exports.turnRows(rows, frameCount, BAND_COUNT, firstOfLine, lineFloats);
    else kernels.exports.averageRows(rows, frameCount, BAND_COUNT, firstOfLine);
    const words = longOver === 'bands' ? toFixed(lines, lineCount * lineFloats) : 0;
    let channel = first;
    for (const bank of long) {
      const width = padChannels(bank.filterCount);
      const start = past - countPast(bank.tapCount);
      if (bank.over === 'mean') {
        convolveFloats(
          kernels,
          bank.convolution,
          lines + start * BYTES,
          1,
          frameCount,
          0,
          largest.out,
          width,
        );
      } else {
        const layout = { positionStride: lineFloats, positionCount: lineCount, rowStride: 1, tapStride: 0 };
        convolveLargest(kernels, bank.convolution, words + start * WORD_BYTES, layout, largest);
      }
      rectify(kernels, largest.out, width, bank, front, channel, frameCount);
      channel += bank.filterCount;
    }
  };
}

/** How many frames before its output a filter reads. */
function countPast(tapCount: number): number {
  return (tapCount - 1) >> 1;
}

/** Addresses of room for the largest response of each filter of a bank in every frame, and for the responses of eight filters at one position. */
type Largest = { out: number; responses: number; frameCount: number };

function createLargest(
  kernels: NetworkKernels,
  frameCount: number,
  banks: readonly { filterCount: number }[],
): Largest {
  const width = Math.max(...banks.map(({ filterCount }) => padChannels(filterCount)));
  return {
    out: kernels.allocateFloats(frameCount * width).pointer,
    responses: kernels.allocateFloats(frameCount * BLOCK_CHANNELS).pointer,
    frameCount,
  };
}

/** Writes rows with one value per filter, padded to whole blocks. */
function convolveLargest(
  kernels: NetworkKernels,
  { weightsPointer, scalesPointer, biasPointer, tapCount, innerCount, outBlockCount }: FixedConvolution,
  input: number,
  layout: { positionStride: number; positionCount: number; rowStride: number; tapStride: number },
  { out, responses, frameCount }: Largest,
): void {
  kernels.exports.convolveLargest(
    input,
    layout.positionStride,
    layout.positionCount,
    layout.rowStride,
    frameCount,
    layout.tapStride,
    tapCount,
    innerCount,
    weightsPointer,
    scalesPointer,
    biasPointer,
    responses,
    out,
    outBlockCount * BLOCK_CHANNELS,
    outBlockCount,
  );
}

function rectify(
  kernels: NetworkKernels,
  values: number,
  width: number,
  { sense, shift, filterCount }: Rectifier & { filterCount: number },
  to: PaddedRows,
  channel: number,
  frameCount: number,
): void {
  const out = to.first + channel * BYTES;
  kernels.exports.rectifyRows(values, width, frameCount, sense, shift, filterCount, out, to.width);
}
