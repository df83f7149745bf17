/**
 * Which chord, and which key, by a small convolutional network.
 *
 * 1. 3×5 convolutions over (time, half semitone) clean the spectrum; pairs of bands become 72 semitones
 * 2. an octave-wide convolution gathers harmonics, then the six octaves fold into twelve pitch classes
 * 3. residual blocks, circular over pitch classes and dilated in time: how does this frame lie among its neighbours?
 * 4. a major and a minor logit for every pitch class, one for no chord; and of the mean over time the same for keys
 *
 * Everything after the fold treats the twelve pitch classes alike, so what the network learned on one root it knows on all; the idea of folding
 * octaves inside the network: Korzeniowski and Widmer, "A Fully Convolutional Deep Auditory Model for Musical Chord Recognition", MLSP 2016.
 * Sizes come from the model file (engine/models/README.md). Memory is constant but for the 25 numbers a frame that are the answer.
 */

import type { NetworkKernels } from '../learned/layers.ts';
import { getTensor, type ModelFile } from '../learned/model-file.ts';
import { type PackedConvolution, packConvolution } from '../learned/packed-convolution.ts';
import { createRowLayer, type RowSink } from '../learned/row-layer.ts';
import { ParameterError } from '../parameter-error.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import {
  CHORD_CLASS_COUNT,
  type ChordActivation,
  createChordActivation,
  NO_CHORD,
  normaliseLogRow,
} from './chord-activation.ts';
import { blockFramesAt, type KeyHead } from './key-evidence.ts';
import { KEY_COUNT, PITCH_CLASS_COUNT } from './key-name.ts';
import { PITCH_MAGNITUDE_UNIT } from './semitones.ts';

const BAND_COUNT = 144;
const SEMITONE_COUNT = 72;
const OCTAVE_COUNT = 6;
/** Pitch classes a row holds so that a convolution twelve wide can start at any of them: the circle, and eleven of it again. */
const WRAPPED_COUNT = 2 * PITCH_CLASS_COUNT - 1;
/** Bands on either side of the first two convolutions, and semitones on either side of the third. */
const BAND_REACH = 2;
const SEMITONE_REACH = 6;
const FRAME_TAPS = 3;
/** Frames handed on at once. */
const ROWS_MAX = 256;
/** Added to the RMS in the training's front end. */
const RMS_FLOOR = 1e-6;
const BYTES = Float32Array.BYTES_PER_ELEMENT;
/** The kernels read inputs four at a time. */
const INNER_MULTIPLE = 4;

type Architecture = { front: number; channels: number; dilations: number[]; gain: number };

export type LearnedTonality = {
  activation: ChordActivation;
  keys: {
    head: KeyHead;
    /** The last block's output, summed over key blocks. */
    features: Float32Array;
  };
};

/** `onProgress` hears the fraction of frames done. */
export function runChordNetwork(
  kernels: NetworkKernels,
  model: ModelFile,
  pitch: FrameMatrix,
  rms: number,
  onProgress: (fraction: number) => void = () => {},
  rowsMax = ROWS_MAX,
): LearnedTonality {
  if (pitch.binCount !== BAND_COUNT)
    throw new ParameterError(`expected ${BAND_COUNT} bands, got ${pitch.binCount}`);
  const architecture = readArchitecture(model);
  const answer = createAnswer(kernels, model, architecture, pitch, rowsMax);
  let next: RowSink = answer.sink;
  for (let index = architecture.dilations.length - 1; index >= 0; index--) {
    next = createBlock(kernels, model, architecture, index, rowsMax, next);
  }
  next = createFold(kernels, model, architecture, rowsMax, next);
  feedFrames(kernels, model, architecture, pitch, rms, rowsMax, next, onProgress);
  return {
    activation: answer.activation,
    keys: { head: createKeyHead(model, architecture), features: answer.features },
  };
}

function readArchitecture({ architecture }: ModelFile): Architecture {
  const { kind, front_channels, channels, dilations, input } = architecture as {
    kind: unknown;
    front_channels: number;
    channels: number;
    dilations: number[];
    input: { gain: number };
  };
  if (kind !== 'chord-cnn') throw new ParameterError(`not a chord network but ${String(kind)}`);
  if (front_channels % 8 !== 0 || channels % 8 !== 0)
    throw new ParameterError('channels must be multiples of 8');
  return { front: front_channels, channels, dilations, gain: input.gain };
}

/** The first convolution reads the pitch frames where they lie, zeros before the first and after the last. */
function feedFrames(
  kernels: NetworkKernels,
  model: ModelFile,
  { front, gain }: Architecture,
  pitch: FrameMatrix,
  rms: number,
  rowsMax: number,
  next: RowSink,
  onProgress: (fraction: number) => void,
): void {
  const scale = getTensor(model, 'input.scale', [1])[0]!;
  const offset = getTensor(model, 'input.offset', [1])[0]!;
  const linear = gain / (PITCH_MAGNITUDE_UNIT * (rms + RMS_FLOOR));
  const width = 2 * BAND_REACH + 1;
  const weight = getTensor(model, 'conv1.weight', [front, 1, FRAME_TAPS, width]);
  const innerCount = roundUp(width);
  const convolution = packConvolution(
    kernels,
    { outCount: front, tapCount: FRAME_TAPS, innerCount },
    getTensor(model, 'conv1.bias', [front]),
    (out, tap, inner) => (inner < width ? weight[(out * FRAME_TAPS + tap) * width + inner]! : 0),
  );
  // Zeros on both sides, and as many more at the end as the rounded-up reads reach.
  const rowFloats = BAND_COUNT + 2 * BAND_REACH + innerCount - width + 1;
  const rows = kernels.allocateFloats((rowsMax + 2) * rowFloats);
  const raw = kernels.allocateFloats(BAND_COUNT * front);
  const outRowBytes = frontRowFloats(front) * BYTES;
  for (let first = 0; first < pitch.frameCount; first += rowsMax) {
    const rowCount = Math.min(rowsMax, pitch.frameCount - first);
    const view = rows.view;
    for (let row = 0; row < rowCount + 2; row++) {
      const frame = first + row - 1;
      const to = row * rowFloats + BAND_REACH;
      if (frame < 0 || frame >= pitch.frameCount) {
        view.fill(0, to, to + BAND_COUNT);
        continue;
      }
      const from = frame * BAND_COUNT;
      for (let band = 0; band < BAND_COUNT; band++) {
        view[to + band] = Math.log1p(linear * pitch.data[from + band]!) * scale + offset;
      }
    }
    const out = next.room();
    for (let row = 0; row < rowCount; row++) {
      const input = rows.pointer + row * rowFloats * BYTES;
      convolve(kernels, convolution, input, 1, BAND_COUNT, rowFloats, raw.pointer, front);
      kernels.exports.applyElu(
        raw.pointer,
        out + row * outRowBytes + BAND_REACH * front * BYTES,
        BAND_COUNT * front,
      );
    }
    next.accept(rowCount);
    onProgress((first + rowCount) / pitch.frameCount);
  }
  next.end();
}

function frontRowFloats(front: number): number {
  return (BAND_COUNT + 2 * BAND_REACH) * front;
}

/** From half semitones to pitch classes: the second convolution, the octave-wide one, and the fold. */
function createFold(
  kernels: NetworkKernels,
  model: ModelFile,
  { front, channels }: Architecture,
  rowsMax: number,
  next: RowSink,
): RowSink {
  const clean = packOverBands(kernels, model, 'conv2', front, FRAME_TAPS, 2 * BAND_REACH + 1);
  const gather = packOverBands(kernels, model, 'conv3', front, 1, 2 * SEMITONE_REACH + 1);
  const fold = packFold(kernels, model, front, channels);
  const rowFloats = frontRowFloats(front);
  const bands = kernels.allocateFloats(BAND_COUNT * front);
  const pooled = kernels.allocateFloats(SEMITONE_COUNT * front);
  const semitones = kernels.allocateFloats((SEMITONE_COUNT + 2 * SEMITONE_REACH) * front);
  const gathered = kernels.allocateFloats(SEMITONE_COUNT * front);
  const octaves = kernels.allocateFloats(OCTAVE_COUNT * WRAPPED_COUNT * front);
  const folded = kernels.allocateFloats(PITCH_CLASS_COUNT * channels);
  const outRowBytes = WRAPPED_COUNT * channels * BYTES;

  const foldFrame = (input: number, out: number): void => {
    convolve(kernels, clean, input, front, BAND_COUNT, rowFloats, bands.pointer, front);
    poolPairs(bands.view, pooled.view, front);
    const inner = semitones.pointer + SEMITONE_REACH * front * BYTES;
    kernels.exports.applyElu(pooled.pointer, inner, SEMITONE_COUNT * front);
    convolve(kernels, gather, semitones.pointer, front, SEMITONE_COUNT, 0, gathered.pointer, front);
    kernels.exports.applyElu(gathered.pointer, gathered.pointer, SEMITONE_COUNT * front);
    wrapOctaves(gathered.view, octaves.view, front);
    convolve(
      kernels,
      fold,
      octaves.pointer,
      front,
      PITCH_CLASS_COUNT,
      WRAPPED_COUNT * front,
      folded.pointer,
      channels,
    );
    applyEluWrapped(kernels, folded.pointer, out, channels);
  };
  const compute = (past: number, rowCount: number, out: number): void => {
    for (let row = 0; row < rowCount; row++)
      foldFrame(past + row * rowFloats * BYTES, out + row * outRowBytes);
  };
  return createRowLayer(kernels, { rowFloats, reachRows: 1, compute }, rowsMax, next);
}

/** A residual block: each frame plus what a convolution over it and its neighbours `dilation` frames away finds. */
function createBlock(
  kernels: NetworkKernels,
  model: ModelFile,
  { channels, dilations }: Architecture,
  index: number,
  rowsMax: number,
  next: RowSink,
): RowSink {
  const dilation = dilations[index]!;
  const shape = [channels, channels, FRAME_TAPS, PITCH_CLASS_COUNT];
  const weight = getTensor(model, `block${index}.weight`, shape);
  const convolution = packConvolution(
    kernels,
    { outCount: channels, tapCount: FRAME_TAPS, innerCount: PITCH_CLASS_COUNT * channels },
    getTensor(model, `block${index}.bias`, [channels]),
    (out, tap, inner) => {
      const ahead = Math.floor(inner / channels);
      return weight[((out * channels + (inner % channels)) * FRAME_TAPS + tap) * PITCH_CLASS_COUNT + ahead]!;
    },
  );
  const rowFloats = WRAPPED_COUNT * channels;
  const rowBytes = rowFloats * BYTES;
  const found = kernels.allocateFloats(PITCH_CLASS_COUNT * channels);
  const compute = (past: number, rowCount: number, out: number): void => {
    for (let row = 0; row < rowCount; row++) {
      const input = past + row * rowBytes;
      convolve(
        kernels,
        convolution,
        input,
        channels,
        PITCH_CLASS_COUNT,
        dilation * rowFloats,
        found.pointer,
        channels,
      );
      applyEluWrapped(kernels, found.pointer, out + row * rowBytes, channels);
    }
    // The rows of the frames themselves lie `dilation` rows after the first of their past; both sides hold the circle and its repetition.
    kernels.exports.addInto(out, past + dilation * rowBytes, rowCount * rowFloats);
  };
  return createRowLayer(kernels, { rowFloats, reachRows: dilation, compute }, rowsMax, next);
}

/** Reads logits off the last block's rows and sums the rows over key blocks. */
function createAnswer(
  kernels: NetworkKernels,
  model: ModelFile,
  { channels }: Architecture,
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
  const rowFloats = WRAPPED_COUNT * channels;
  const rows = kernels.allocateFloats(rowsMax * rowFloats);
  const logits = activation.logProbabilities;
  let frame = 0;

  const answerFrame = (row: Float32Array): void => {
    const at = frame * CHORD_CLASS_COUNT;
    let none = 0;
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
      let major = chordBias[0]!;
      let minor = chordBias[1]!;
      for (let c = 0; c < channels; c++) {
        const x = row[p * channels + c]!;
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
    for (let i = 0; i < featureCount; i++) features[block + i]! += row[i]!;
    frame++;
  };
  const sink: RowSink = {
    room: () => rows.pointer,
    accept(rowCount) {
      const view = rows.view;
      for (let row = 0; row < rowCount; row++)
        answerFrame(view.subarray(row * rowFloats, row * rowFloats + featureCount));
    },
    end() {},
  };
  return { sink, activation, features };
}

/** Key logits of features averaged over any stretch of time; small enough to need no kernel. */
function createKeyHead(model: ModelFile, { channels }: Architecture): KeyHead {
  const hiddenWeight = getTensor(model, 'key_hidden.weight', [channels, channels, PITCH_CLASS_COUNT]);
  const hiddenBias = getTensor(model, 'key_hidden.bias', [channels]);
  const weight = getTensor(model, 'key.weight', [2, channels]);
  const bias = getTensor(model, 'key.bias', [2]);
  const score = (mean: Float32Array): Float32Array => {
    const logits = new Float32Array(KEY_COUNT);
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
      let major = bias[0]!;
      let minor = bias[1]!;
      for (let out = 0; out < channels; out++) {
        let sum = hiddenBias[out]!;
        for (let ahead = 0; ahead < PITCH_CLASS_COUNT; ahead++) {
          const from = ((p + ahead) % PITCH_CLASS_COUNT) * channels;
          for (let c = 0; c < channels; c++) {
            sum += hiddenWeight[(out * channels + c) * PITCH_CLASS_COUNT + ahead]! * mean[from + c]!;
          }
        }
        const hidden = sum > 0 ? sum : Math.expm1(sum);
        major += weight[out]! * hidden;
        minor += weight[channels + out]! * hidden;
      }
      logits[p] = major;
      logits[PITCH_CLASS_COUNT + p] = minor;
    }
    normaliseLogRow(logits, 0, KEY_COUNT);
    return logits;
  };
  return { featureCount: PITCH_CLASS_COUNT * channels, score };
}

/** One frame: `positionCount` outputs, each `positionFloats` further along the bands. */
function convolve(
  kernels: NetworkKernels,
  { weights, bias, tapCount, innerCount, outBlockCount }: PackedConvolution,
  input: number,
  positionFloats: number,
  positionCount: number,
  tapFloats: number,
  out: number,
  outFloats: number,
): void {
  kernels.exports.convolveTaps(
    input,
    positionFloats,
    positionCount,
    tapFloats,
    tapCount,
    innerCount,
    weights,
    bias,
    out,
    outFloats,
    outBlockCount,
  );
}

/** Weights [out, in, time, band] (time may be missing), read as taps in time and bands × channels inside. */
function packOverBands(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  front: number,
  tapCount: number,
  width: number,
): PackedConvolution {
  const shape = tapCount > 1 ? [front, front, tapCount, width] : [front, front, width];
  const weight = getTensor(model, `${name}.weight`, shape);
  return packConvolution(
    kernels,
    { outCount: front, tapCount, innerCount: width * front },
    getTensor(model, `${name}.bias`, [front]),
    (out, tap, inner) => {
      const band = Math.floor(inner / front);
      return weight[((out * front + (inner % front)) * tapCount + tap) * width + band]!;
    },
  );
}

function packFold(
  kernels: NetworkKernels,
  model: ModelFile,
  front: number,
  channels: number,
): PackedConvolution {
  const weight = getTensor(model, 'fold.weight', [channels, front * OCTAVE_COUNT, PITCH_CLASS_COUNT]);
  return packConvolution(
    kernels,
    { outCount: channels, tapCount: OCTAVE_COUNT, innerCount: PITCH_CLASS_COUNT * front },
    getTensor(model, 'fold.bias', [channels]),
    (out, octave, inner) => {
      const ahead = Math.floor(inner / front);
      const input = (inner % front) * OCTAVE_COUNT + octave;
      return weight[(out * front * OCTAVE_COUNT + input) * PITCH_CLASS_COUNT + ahead]!;
    },
  );
}

/** The larger of every two neighbouring bands. ELU rises everywhere, so it may come after. */
function poolPairs(bands: Float32Array, pooled: Float32Array, front: number): void {
  for (let s = 0; s < SEMITONE_COUNT; s++) {
    for (let c = 0; c < front; c++) {
      const at = 2 * s * front + c;
      pooled[s * front + c] = Math.max(bands[at]!, bands[at + front]!);
    }
  }
}

function wrapOctaves(semitones: Float32Array, octaves: Float32Array, front: number): void {
  for (let octave = 0; octave < OCTAVE_COUNT; octave++) {
    const from = octave * PITCH_CLASS_COUNT * front;
    const to = octave * WRAPPED_COUNT * front;
    octaves.set(semitones.subarray(from, from + PITCH_CLASS_COUNT * front), to);
    octaves.set(
      semitones.subarray(from, from + (PITCH_CLASS_COUNT - 1) * front),
      to + PITCH_CLASS_COUNT * front,
    );
  }
}

/** ELU of a row of pitch classes, written as the circle and its repetition. */
function applyEluWrapped(kernels: NetworkKernels, input: number, out: number, channels: number): void {
  const circle = PITCH_CLASS_COUNT * channels;
  kernels.exports.applyElu(input, out, circle);
  kernels.exports.applyElu(input, out + circle * BYTES, circle - channels);
}

function roundUp(count: number): number {
  return Math.ceil(count / INNER_MULTIPLE) * INNER_MULTIPLE;
}
