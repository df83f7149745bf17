/**
 * Which chords and which key are likely, according to a small convolutional network?
 *
 * 1. 3×5 convolutions over (time, half semitone) clean the spectrum; pairs of bands become 72 semitones
 * 2. an octave-wide convolution gathers harmonics, then the six octaves are folded into twelve pitch classes
 * 3. residual blocks, circular over pitch classes and dilated in time, add the context of the neighbouring frames
 * 4. a major and a minor logit for every pitch class and one for no chord; the features of step 3, averaged over time, give the keys (key-head.ts)
 *
 * From the fold on, all pitch classes share their weights, so what the network learned for one root holds for all. Folding octaves inside the network
 * follows Korzeniowski and Widmer, "A Fully Convolutional Deep Auditory Model for Musical Chord Recognition", MLSP 2016.
 * Sizes come from the model file (engine/models/README.md). Memory does not grow with the length of the music, apart from the outputs and, if the tuning
 * is far off, a shifted copy of the frames.
 */

import { getTensor, type ModelFile } from '../learned/model-file.ts';
import type { NetworkKernels } from '../learned/network-kernels.ts';
import { BLOCK_CHANNELS, convolveFloats, packConvolution } from '../learned/packed-convolution.ts';
import type { RowSink } from '../learned/row-layer.ts';
import { ParameterError } from '../parameter-error.ts';
import { copyFrames, type FrameMatrix, FrameMatrixBuilder } from '../signal/frame-matrix.ts';
import { RMS_FLOOR } from '../signal/front-end.ts';
import { createKernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';
import {
  CHORD_CLASS_COUNT,
  type ChordActivation,
  createChordActivation,
  NO_CHORD,
  normaliseLogRow,
} from './chord-activation.ts';
import { blockFramesAt, type KeyHead } from './key-evidence.ts';
import { createKeyHead } from './key-head.ts';
import { PITCH_CLASS_COUNT } from './key-name.ts';
import {
  BAND_REACH,
  BAND_TAPS,
  bandRowFloats,
  type ChordArchitecture,
  createBlock,
  createFold,
  FRAME_TAPS,
  pitchClassRowFloats,
} from './pitch-class-layers.ts';
import { CENTS_PER_BAND, PITCH_BAND_COUNT, PITCH_MAGNITUDE_UNIT } from './semitones.ts';

/**
 * Beyond this tuning, bands are shifted to A4 = 440 Hz. The network was trained on tunings up to 35 cents, and its accuracy falls beyond (dev songs 40
 * cents sharp: chords .869 instead of .895; shifted, .895). Shifting blurs the bands, so it does not pay for smaller offsets.
 */
const TUNING_CENTS_MAX = 25;
/** Frames passed from layer to layer at once: enough to amortise a call, little enough for the buffers to stay small. */
const ROWS_MAX = 256;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** The taps over the bands, rounded up because the kernels read inputs in fours. */
const INNER_COUNT = Math.ceil(BAND_TAPS / 4) * 4;
/** A frame of bands, padded with zeros on both sides as far as those reads go. */
const ROW_FLOATS = PITCH_BAND_COUNT + 2 * BAND_REACH + INNER_COUNT - BAND_TAPS;

export type LearnedTonality = {
  activation: ChordActivation;
  keys: {
    head: KeyHead;
    /** The output of the last residual block, summed over the frames of each key block (key-evidence.ts). */
    features: Float32Array;
  };
};

export type ChordNetworkInput = {
  /** Linear magnitudes, 10 frames a second, 144 bands. */
  pitch: FrameMatrix;
  /** RMS of the whole recording. */
  rms: number;
  tuningCents: number;
};

/** `onProgress` receives the fraction of frames done. */
export function runChordNetwork(
  kernels: NetworkKernels,
  model: ModelFile,
  input: ChordNetworkInput,
  onProgress: (fraction: number) => void = () => {},
  rowsMax = ROWS_MAX,
): LearnedTonality {
  const { pitch } = input;
  if (pitch.binCount !== PITCH_BAND_COUNT) {
    throw new ParameterError(`expected ${PITCH_BAND_COUNT} bands, got ${pitch.binCount}`);
  }
  const architecture = readArchitecture(model);
  const output = createOutput(kernels, model, architecture, pitch, rowsMax);
  let next: RowSink = output.sink;
  for (let index = architecture.dilations.length - 1; index >= 0; index--) {
    next = createBlock(kernels, model, architecture, index, rowsMax, next);
  }
  next = createFold(kernels, model, architecture, rowsMax, next);
  feedFrames(kernels, model, architecture, input, rowsMax, next, onProgress);
  return {
    activation: output.activation,
    keys: { head: createKeyHead(createKernels(), model, architecture.channels), features: output.features },
  };
}

function readArchitecture({ architecture }: ModelFile): ChordArchitecture {
  const { kind, frontChannels, channels, dilations, input } = architecture as {
    kind: unknown;
    frontChannels: number;
    channels: number;
    dilations: number[];
    input: { gain: number };
  };
  if (kind !== 'chord-cnn') throw new ParameterError(`not a chord network but ${String(kind)}`);
  if (frontChannels % BLOCK_CHANNELS !== 0 || channels % BLOCK_CHANNELS !== 0) {
    throw new ParameterError(`channels must be multiples of ${BLOCK_CHANNELS}`);
  }
  return { frontChannels, channels, dilations, gain: input.gain };
}

/** Runs the first convolution and passes its rows to the next layer. Frames before the first and after the last are zeros. */
function feedFrames(
  kernels: NetworkKernels,
  model: ModelFile,
  { frontChannels, gain }: ChordArchitecture,
  { pitch, rms, tuningCents }: ChordNetworkInput,
  rowsMax: number,
  next: RowSink,
  onProgress: (fraction: number) => void,
): void {
  const scale = getTensor(model, 'input.scale', [1])[0]!;
  const offset = getTensor(model, 'input.offset', [1])[0]!;
  const linear = gain / (PITCH_MAGNITUDE_UNIT * (rms + RMS_FLOOR));
  // The bands of a frame take the place of the channels of later layers.
  const convolution = packConvolution(
    kernels,
    getTensor(model, 'conv1.weight', [frontChannels, 1, FRAME_TAPS, BAND_TAPS]),
    getTensor(model, 'conv1.bias', [frontChannels]),
    { out: frontChannels, tap: FRAME_TAPS, channel: BAND_TAPS },
    INNER_COUNT,
  );
  const rows = kernels.allocateFloats((rowsMax + 2) * ROW_FLOATS);
  const raw = kernels.allocateFloats(PITCH_BAND_COUNT * frontChannels);
  const outRowBytes = bandRowFloats(frontChannels) * FLOAT_BYTES;
  const logScale = { gain: linear, shift: 1, scale, offset };
  const bands = createLogFrames(kernels, shiftBands(pitch, tuningCents), logScale);
  const writeFrame = (frame: number, to: number): void => {
    if (frame < 0 || frame >= pitch.frameCount) {
      rows.view.fill(0, to, to + PITCH_BAND_COUNT);
    } else {
      const from = bands.seek(frame);
      rows.view.set(bands.data.subarray(from, from + PITCH_BAND_COUNT), to);
    }
  };
  for (let first = 0; first < pitch.frameCount; first += rowsMax) {
    const rowCount = Math.min(rowsMax, pitch.frameCount - first);
    for (let row = 0; row < rowCount + 2; row++) writeFrame(first + row - 1, row * ROW_FLOATS + BAND_REACH);
    const out = next.room();
    for (let row = 0; row < rowCount; row++) {
      const from = rows.pointer + row * ROW_FLOATS * FLOAT_BYTES;
      const to = out + row * outRowBytes + BAND_REACH * frontChannels * FLOAT_BYTES;
      convolveFloats(kernels, convolution, from, 1, PITCH_BAND_COUNT, ROW_FLOATS, raw.pointer, frontChannels);
      kernels.exports.applyElu(raw.pointer, to, PITCH_BAND_COUNT * frontChannels, 0);
    }
    next.accept(rowCount);
    onProgress((first + rowCount) / pitch.frameCount);
  }
  next.end();
}

/** The frames as they are, or beyond TUNING_CENTS_MAX interpolated to the bands of music tuned to A4 = 440 Hz. */
function shiftBands(pitch: FrameMatrix, tuningCents: number): FrameMatrix {
  if (Math.abs(tuningCents) <= TUNING_CENTS_MAX) return pitch;
  const wholeBands = Math.floor(tuningCents / CENTS_PER_BAND);
  const share = tuningCents / CENTS_PER_BAND - wholeBands;
  const shifted = new FrameMatrixBuilder(pitch.frameRateHz, PITCH_BAND_COUNT);
  const bands = new Float32Array(PITCH_BAND_COUNT);
  const row = new Float32Array(PITCH_BAND_COUNT);
  for (let frame = 0; frame < pitch.frameCount; frame++) {
    copyFrames(pitch, frame, frame + 1, bands);
    for (let band = 0; band < PITCH_BAND_COUNT; band++) {
      row[band] = (1 - share) * (bands[band + wholeBands] ?? 0) + share * (bands[band + wholeBands + 1] ?? 0);
    }
    shifted.append(row);
  }
  return shifted.finish();
}

/** Turns the rows of the last residual block into chord probabilities, and sums them over key blocks. */
function createOutput(
  kernels: NetworkKernels,
  model: ModelFile,
  { channels }: ChordArchitecture,
  pitch: FrameMatrix,
  rowsMax: number,
): { sink: RowSink; activation: ChordActivation; features: Float32Array } {
  const chordWeight = getTensor(model, 'chord.weight', [2, channels]);
  const chordBias = getTensor(model, 'chord.bias', [2]);
  const noneWeight = getTensor(model, 'silence.weight', [1, channels]);
  const noneBias = getTensor(model, 'silence.bias', [1])[0]!;
  const activation = createChordActivation(pitch.frameRateHz, pitch.frameCount, 'learned');
  const featureCount = PITCH_CLASS_COUNT * channels;
  const blockFrames = blockFramesAt(pitch.frameRateHz);
  const features = new Float32Array(Math.ceil(pitch.frameCount / blockFrames) * featureCount);
  const rowFloats = pitchClassRowFloats(channels);
  const rows = kernels.allocateFloats(rowsMax * rowFloats);
  const logits = activation.logProbabilities;
  let frame = 0;

  const readFrame = (view: Float32Array, row: number): void => {
    const at = frame * CHORD_CLASS_COUNT;
    let none = 0;
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
      let major = chordBias[0]!;
      let minor = chordBias[1]!;
      for (let c = 0; c < channels; c++) {
        const x = view[row + p * channels + c]!;
        major += chordWeight[c]! * x;
        minor += chordWeight[channels + c]! * x;
        none += noneWeight[c]! * x;
      }
      logits[at + p] = major;
      logits[at + PITCH_CLASS_COUNT + p] = minor;
    }
    logits[at + NO_CHORD] = noneBias + none / PITCH_CLASS_COUNT;
    normaliseLogRow(logits, at, CHORD_CLASS_COUNT);
    const block = Math.floor(frame / blockFrames) * featureCount;
    for (let i = 0; i < featureCount; i++) features[block + i]! += view[row + i]!;
    frame++;
  };
  const sink: RowSink = {
    room: () => rows.pointer,
    accept(rowCount) {
      const view = rows.view;
      for (let row = 0; row < rowCount; row++) readFrame(view, row * rowFloats);
    },
    end() {},
  };
  return { sink, activation, features };
}
