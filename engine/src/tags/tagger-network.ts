/**
 * What does a listener call this music? A convolutional network reads a patch of three seconds and gives each of its tags a logit.
 *
 * 1. filters as tall as two thirds of the spectrum and 0.1 s wide hear timbre, whatever its pitch: the largest response over the bands counts;
 *    filters one band tall and up to 2 s long hear rhythm.
 * 2. three layers in time, each seven frames wide.
 * 3. largest and mean value of every channel over the patch, 200 hidden units, the tags.
 *
 * Pons and Serra, "musicnn: pre-trained convolutional neural networks for music audio tagging", ISMIR late-breaking 2019; Won, Ferraro,
 * Bogdanov and Serra, "Evaluation of CNN-based automatic music tagging models", SMC 2020. The weights are theirs (training/README.md).
 */

import { convolveFixed, createFixedRows, type FixedConvolution } from '../learned/fixed-convolution.ts';
import type { ModelFile } from '../learned/model-file.ts';
import type { NetworkKernels } from '../learned/network-kernels.ts';
import { BLOCK_CHANNELS, type PackedConvolution, padChannels } from '../learned/packed-convolution.ts';
import {
  BAND_COUNT,
  type LongBank,
  loadTaggerLayers,
  type Rectifier,
  type TaggerLayers,
  type TaggerSizes,
  type TallBank,
  TIME_TAPS,
} from './tagger-layers.ts';

/** Of the tags, before the logistic function; and the hidden units, which are 0 or more. */
export type TaggedPatch = { logits: Float32Array; hidden: Float32Array };

export type Tagger = {
  sizes: TaggerSizes;
  /** Reads `frameCount` rows of the power in 96 mel bands. */
  tag(power: Float32Array): TaggedPatch;
};

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const WORD_BYTES = Int16Array.BYTES_PER_ELEMENT;
/** Zero rows before and after the frames, as the layers' padding. */
const MARGIN = (TIME_TAPS - 1) / 2;
/** As the networks' front ends: log10(1 + 10,000 x), or decibels of what is above 1e-10. */
const LOGARITHMS = {
  compressed: { gain: 10_000, shift: 1, floor: 1, perNeper: 1 / Math.LN10 },
  decibel: { gain: 1, shift: 0, floor: 1e-10, perNeper: 10 / Math.LN10 },
};

export function createTagger(kernels: NetworkKernels, model: ModelFile): Tagger {
  const layers = loadTaggerLayers(kernels, model);
  const { sizes, frontCount } = layers;
  const { frameCount, channels } = sizes;
  const input = kernels.allocateFloats((frameCount + 2 * MARGIN + 1) * BAND_COUNT);
  const front = createPaddedRows(kernels, frameCount, padChannels(frontCount + 1));
  const rows = layers.time.map(() => createPaddedRows(kernels, frameCount, channels));
  const hearTall = createTallEar(kernels, layers, input.pointer);
  const hearLong = createLongEar(kernels, layers, input);
  const sums = kernels.allocateFloats(frameCount * channels);
  const pooled = kernels.allocateFloats(2 * (frontCount + 3 * channels));
  const hidden = kernels.allocateFloats(padChannels(sizes.hidden));
  const logits = kernels.allocateFloats(padChannels(sizes.tags.length));
  for (let frame = 0; frame < frameCount; frame++) front.view[front.at(frame) + frontCount] = 1;

  return {
    sizes,
    tag(power) {
      takeLogarithms(kernels, layers, power, input);
      hearLong(hearTall(front, 0), front);
      let before = front;
      rows.forEach((after, k) => {
        const { convolution, shift } = layers.time[k]!;
        convolve(
          kernels,
          convolution,
          before.pointer,
          before.width,
          frameCount,
          before.width,
          sums.pointer,
          channels,
        );
        rectifyTime(sums.view, shift, k === 0 ? null : before, after, frameCount);
        before = after;
      });
      pool([[front, frontCount], ...rows.map((of) => [of, channels] as const)], frameCount, pooled.view);
      convolve(kernels, layers.dense, pooled.pointer, 0, 1, 0, hidden.pointer, 0);
      const units = hidden.view;
      for (let k = 0; k < units.length; k++) units[k] = Math.max(units[k]!, 0);
      convolve(kernels, layers.tags, hidden.pointer, 0, 1, 0, logits.pointer, 0);
      return {
        logits: logits.view.slice(0, sizes.tags.length),
        hidden: hidden.view.slice(0, sizes.hidden),
      };
    },
  };
}

/** Rows of one width with zero rows around them; that of a frame begins `at(frame)` in `view`. */
type PaddedRows = {
  pointer: number;
  width: number;
  readonly view: Float32Array;
  at(frame: number): number;
};

function createPaddedRows(kernels: NetworkKernels, frameCount: number, width: number): PaddedRows {
  const region = kernels.allocateFloats((frameCount + 2 * MARGIN) * width);
  return {
    pointer: region.pointer,
    width,
    get view() {
      return region.view;
    },
    at: (frame) => (frame + MARGIN) * width,
  };
}

/** The sums of a layer in time, cut off at zero and shifted, on top of the layer before it. */
function rectifyTime(
  sums: Float32Array,
  shift: Float32Array,
  before: PaddedRows | null,
  after: PaddedRows,
  frameCount: number,
): void {
  const { view, width } = after;
  const residues = before?.view ?? null;
  const first = after.at(0);
  for (let i = 0, c = 0; i < frameCount * width; i++, c = c + 1 === width ? 0 : c + 1) {
    const residue = residues === null ? 0 : residues[first + i]!;
    view[first + i] = Math.max(sums[i]!, 0) + shift[c]! + residue;
  }
}

function takeLogarithms(
  kernels: NetworkKernels,
  { sizes, scale, offset }: TaggerLayers,
  power: Float32Array,
  input: { pointer: number; view: Float32Array },
): void {
  const { gain, shift, floor, perNeper } = LOGARITHMS[sizes.logarithm];
  const at = MARGIN * BAND_COUNT;
  const count = sizes.frameCount * BAND_COUNT;
  input.view.set(power.subarray(0, count), at);
  const pointer = input.pointer + at * BYTES;
  kernels.exports.takeLogarithms(pointer, pointer, count, gain, shift, floor, perNeper * scale, offset);
}

/** Fills in the tall filters of `front` from channel `first` on; returns the channel after them. */
function createTallEar(
  kernels: NetworkKernels,
  { sizes: { frameCount, bandStep }, tall }: TaggerLayers,
  input: number,
): (front: PaddedRows, first: number) => number {
  const valueCount = (frameCount + 2 * MARGIN + 1) * BAND_COUNT;
  const toFixed = createFixedRows(kernels, valueCount);
  const places = ({ bandCount }: TallBank): number => Math.ceil((BAND_COUNT - bandCount + 1) / bandStep);
  const widest = Math.max(...tall.map((bank) => places(bank) * padChannels(bank.filterCount)));
  const responses = kernels.allocateFloats(widest).pointer;
  const largest = kernels.allocateFloats(Math.max(...tall.map((bank) => padChannels(bank.filterCount))));
  return (front, first) => {
    const words = toFixed(input, valueCount);
    let channel = first;
    for (const bank of tall) {
      const width = padChannels(bank.filterCount);
      for (let frame = 0; frame < frameCount; frame++) {
        const from = words + frame * BAND_COUNT * WORD_BYTES;
        convolveFixed(kernels, bank.convolution, from, bandStep, places(bank), BAND_COUNT, responses, width);
        kernels.exports.takeRowMaxima(responses, places(bank), width, largest.pointer);
        rectify(largest.view, 0, bank, front.view, front.at(frame) + channel);
      }
      channel += bank.filterCount;
    }
    return channel;
  };
}

/** The same for the long filters, which read the patch turned on its side: a band, or the mean of them, after the other. */
function createLongEar(
  kernels: NetworkKernels,
  { sizes: { frameCount, longOver }, long }: TaggerLayers,
  input: { view: Float32Array },
): (first: number, front: PaddedRows) => void {
  const past = Math.max(...long.map(({ tapCount }) => countPast(tapCount)));
  const lineFloats = padChannels(frameCount + 2 * past + 2);
  const lineCount = longOver === 'bands' ? BAND_COUNT : 1;
  const lines = kernels.allocateFloats(lineCount * lineFloats);
  const width = Math.max(...long.map(({ filterCount }) => padChannels(filterCount)));
  const toFixed = createFixedRows(kernels, lineCount * lineFloats);
  const largest = kernels.allocateFloats(frameCount * width);
  const responses = kernels.allocateFloats(frameCount * width);
  return (first, front) => {
    turn(input.view, frameCount, lines.view, lineFloats, past, longOver);
    const words = longOver === 'bands' ? toFixed(lines.pointer, lineCount * lineFloats) : 0;
    let channel = first;
    for (const bank of long) {
      const bankWidth = padChannels(bank.filterCount);
      const start = past - countPast(bank.tapCount);
      if (longOver === 'mean') {
        const from = lines.pointer + start * BYTES;
        convolve(kernels, bank.convolution, from, 1, frameCount, 0, largest.pointer, bankWidth);
      }
      for (let band = 0; longOver === 'bands' && band < BAND_COUNT; band++) {
        const from = words + (band * lineFloats + start) * WORD_BYTES;
        const out = band === 0 ? largest.pointer : responses.pointer;
        convolveFixed(kernels, bank.convolution as FixedConvolution, from, 1, frameCount, 0, out, bankWidth);
        if (band > 0) kernels.exports.keepLarger(largest.pointer, out, frameCount * bankWidth);
      }
      const values = largest.view;
      for (let frame = 0; frame < frameCount; frame++) {
        rectify(values, frame * bankWidth, bank, front.view, front.at(frame) + channel);
      }
      channel += bank.filterCount;
    }
  };
}

/** Frames a filter reads before the one it stands on. */
function countPast(tapCount: number): number {
  return (tapCount - 1) >> 1;
}

function turn(
  rows: Float32Array,
  frameCount: number,
  lines: Float32Array,
  lineFloats: number,
  past: number,
  longOver: TaggerSizes['longOver'],
): void {
  for (let frame = 0; frame < frameCount; frame++) {
    const from = (frame + MARGIN) * BAND_COUNT;
    if (longOver === 'bands') {
      for (let band = 0; band < BAND_COUNT; band++)
        lines[band * lineFloats + past + frame] = rows[from + band]!;
    } else {
      let sum = 0;
      for (let band = 0; band < BAND_COUNT; band++) sum += rows[from + band]!;
      lines[past + frame] = sum / BAND_COUNT;
    }
  }
}

function rectify(
  values: Float32Array,
  from: number,
  { filterCount, sense, shift }: Rectifier & { filterCount: LongBank['filterCount'] },
  to: Float32Array,
  at: number,
): void {
  for (let k = 0; k < filterCount; k++) {
    const value = values[from + k]!;
    to[at + k] = (sense![k]! > 0 ? Math.max(value, 0) : Math.min(value, 0)) + shift[k]!;
  }
}

/** The largest values of all channels, then the means. */
function pool(groups: (readonly [PaddedRows, number])[], frameCount: number, out: Float32Array): void {
  const half = out.length / 2;
  let at = 0;
  for (const [rows, count] of groups) {
    const sums = new Float64Array(count);
    out.fill(Number.NEGATIVE_INFINITY, at, at + count);
    const { view } = rows;
    for (let frame = 0; frame < frameCount; frame++) {
      const row = rows.at(frame);
      for (let c = 0; c < count; c++) {
        const value = view[row + c]!;
        sums[c]! += value;
        if (value > out[at + c]!) out[at + c] = value;
      }
    }
    for (let c = 0; c < count; c++) out[half + at + c] = sums[c]! / frameCount;
    at += count;
  }
}

function convolve(
  kernels: NetworkKernels,
  { weights, bias, tapCount, innerCount, outBlockCount }: PackedConvolution,
  input: number,
  rowStride: number,
  rowCount: number,
  tapStride: number,
  out: number,
  outWidth: number,
): void {
  const width = outWidth === 0 ? outBlockCount * BLOCK_CHANNELS : outWidth;
  kernels.exports.convolveTaps(
    input,
    rowStride,
    rowCount,
    tapStride,
    tapCount,
    innerCount,
    weights,
    bias,
    out,
    width,
    outBlockCount,
  );
}
