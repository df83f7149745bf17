/**
 * The layers of the chord network on rows of one frame each. chord-network.ts describes their purpose and names their source.
 *
 * A row consists of bands, semitones or pitch classes, and each of those of its channels. Rows of bands are padded with zeros on both sides. Rows of
 * pitch classes have the twelve and then the first eleven again, so that a convolution over twelve can start at any of them.
 */

import {
  convolveFixed,
  createFixedRows,
  type FixedConvolution,
  packFixedConvolution,
} from '../learned/fixed-convolution.ts';
import { getTensor, type ModelFile } from '../learned/model-file.ts';
import type { NetworkKernels } from '../learned/network-kernels.ts';
import type { WeightAxes } from '../learned/packed-convolution.ts';
import { createRowLayer, type RowSink } from '../learned/row-layer.ts';
import { PITCH_CLASS_COUNT } from './key-name.ts';
import { PITCH_BAND_COUNT, SEMITONE_COUNT } from './semitones.ts';

export type ChordArchitecture = {
  frontChannels: number;
  channels: number;
  /** Of each residual block, in frames. */
  dilations: number[];
  gain: number;
};

const OCTAVE_COUNT = 6;
const WRAPPED_COUNT = 2 * PITCH_CLASS_COUNT - 1;
/** How many bands the first two convolutions reach to either side. */
export const BAND_REACH = 2;
export const BAND_TAPS = 2 * BAND_REACH + 1;
/** How many semitones the third convolution reaches to either side. */
const SEMITONE_REACH = 6;
export const FRAME_TAPS = 3;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const FIXED_BYTES = Int16Array.BYTES_PER_ELEMENT;

export function bandRowFloats(frontChannels: number): number {
  return (PITCH_BAND_COUNT + 2 * BAND_REACH) * frontChannels;
}

export function pitchClassRowFloats(channels: number): number {
  return WRAPPED_COUNT * channels;
}

/** From bands to pitch classes: the second convolution, the octave-wide one and the fold. */
export function createFold(
  kernels: NetworkKernels,
  model: ModelFile,
  { frontChannels, channels }: ChordArchitecture,
  rowsMax: number,
  next: RowSink,
): RowSink {
  const foldFrame = createFrameFold(kernels, model, frontChannels, channels);
  const rowFloats = bandRowFloats(frontChannels);
  const outRowBytes = pitchClassRowFloats(channels) * FLOAT_BYTES;
  const toFixedBands = createFixedRows(kernels, (rowsMax + 2) * rowFloats);
  const compute = (past: number, rowCount: number, out: number): void => {
    const rows = toFixedBands(past, (rowCount + 2) * rowFloats);
    for (let row = 0; row < rowCount; row++)
      foldFrame(rows + row * rowFloats * FIXED_BYTES, out + row * outRowBytes);
  };
  return createRowLayer(kernels, { rowFloats, reachRows: 1, compute }, rowsMax, next);
}

/** The same for one frame. `input` points to the row of the previous frame, `out` to the row of pitch classes to write. */
function createFrameFold(
  kernels: NetworkKernels,
  model: ModelFile,
  frontChannels: number,
  channels: number,
): (input: number, out: number) => void {
  const square = { out: frontChannels, channel: frontChannels };
  const clean = pack(kernels, model, 'conv2', { ...square, tap: FRAME_TAPS, band: BAND_TAPS });
  const gather = pack(kernels, model, 'conv3', { ...square, band: 2 * SEMITONE_REACH + 1 });
  const foldAxes = { out: channels, channel: frontChannels, tap: OCTAVE_COUNT, band: PITCH_CLASS_COUNT };
  const foldShape = [channels, frontChannels * OCTAVE_COUNT, PITCH_CLASS_COUNT];
  const fold = pack(kernels, model, 'fold', foldAxes, foldShape);
  const rowFloats = bandRowFloats(frontChannels);
  const octaveFloats = WRAPPED_COUNT * frontChannels;
  const semitoneFloats = (SEMITONE_COUNT + 2 * SEMITONE_REACH) * frontChannels;
  const bands = kernels.allocateFloats(PITCH_BAND_COUNT * frontChannels).pointer;
  const semitones = kernels.allocateFloats(semitoneFloats).pointer;
  const gathered = kernels.allocateFloats(SEMITONE_COUNT * frontChannels).pointer;
  const octaves = kernels.allocateFloats(OCTAVE_COUNT * octaveFloats).pointer;
  const folded = kernels.allocateFloats(PITCH_CLASS_COUNT * channels).pointer;
  const toFixedSemitones = createFixedRows(kernels, semitoneFloats);
  const toFixedOctaves = createFixedRows(kernels, OCTAVE_COUNT * octaveFloats);
  return (input, out) => {
    convolveFixed(kernels, clean, input, frontChannels, PITCH_BAND_COUNT, rowFloats, bands, frontChannels);
    const inner = semitones + SEMITONE_REACH * frontChannels * FLOAT_BYTES;
    kernels.exports.poolTwoAndElu(bands, inner, SEMITONE_COUNT, frontChannels);
    const padded = toFixedSemitones(semitones, semitoneFloats);
    convolveFixed(kernels, gather, padded, frontChannels, SEMITONE_COUNT, 0, gathered, frontChannels);
    for (let octave = 0; octave < OCTAVE_COUNT; octave++) {
      const from = gathered + octave * PITCH_CLASS_COUNT * frontChannels * FLOAT_BYTES;
      applyEluWrapped(kernels, from, octaves + octave * octaveFloats * FLOAT_BYTES, frontChannels);
    }
    const wrapped = toFixedOctaves(octaves, OCTAVE_COUNT * octaveFloats);
    convolveFixed(kernels, fold, wrapped, frontChannels, PITCH_CLASS_COUNT, octaveFloats, folded, channels);
    applyEluWrapped(kernels, folded, out, channels);
  };
}

/** A residual block: adds to each frame a convolution over it and the frames `dilation` before and after it. */
export function createBlock(
  kernels: NetworkKernels,
  model: ModelFile,
  { channels, dilations }: ChordArchitecture,
  index: number,
  rowsMax: number,
  next: RowSink,
): RowSink {
  const dilation = dilations[index]!;
  const axes = { out: channels, channel: channels, tap: FRAME_TAPS, band: PITCH_CLASS_COUNT };
  const convolution = pack(kernels, model, `block${index}`, axes);
  const rowFloats = pitchClassRowFloats(channels);
  const rowBytes = rowFloats * FLOAT_BYTES;
  const residual = kernels.allocateFloats(PITCH_CLASS_COUNT * channels).pointer;
  const toFixed = createFixedRows(kernels, (rowsMax + 2 * dilation) * rowFloats);
  const compute = (past: number, rowCount: number, out: number): void => {
    const rows = toFixed(past, (rowCount + 2 * dilation) * rowFloats);
    for (let row = 0; row < rowCount; row++) {
      const from = rows + row * rowFloats * FIXED_BYTES;
      const tapFloats = dilation * rowFloats;
      convolveFixed(kernels, convolution, from, channels, PITCH_CLASS_COUNT, tapFloats, residual, channels);
      applyEluWrapped(kernels, residual, out + row * rowBytes, channels);
    }
    // `past` starts `dilation` rows before the first frame. Input and output rows both repeat eleven pitch classes.
    kernels.exports.addInto(out, past + dilation * rowBytes, rowCount * rowFloats);
  };
  return createRowLayer(kernels, { rowFloats, reachRows: dilation, compute }, rowsMax, next);
}

/** Packs the weights of a layer. Their shape in the model file differs from the axes only where the file joins some. */
function pack(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  axes: WeightAxes & { channel: number },
  shape: readonly number[] = Object.values(axes),
): FixedConvolution {
  const weights = getTensor(model, `${name}.weight`, shape);
  return packFixedConvolution(
    kernels,
    weights,
    getTensor(model, `${name}.bias`, [axes.out]),
    axes,
    axes.channel,
  );
}

/** Writes the ELU of the twelve pitch classes, then of the first eleven again. */
function applyEluWrapped(kernels: NetworkKernels, input: number, out: number, channels: number): void {
  const circle = PITCH_CLASS_COUNT * channels;
  kernels.exports.applyElu(input, out, circle, circle - channels);
}
