/** A small chord network with random weights, and a straightforward implementation of it: the oracle of chord-network.ts. */

import { getTensor, type ModelFile } from '../learned/model-file.ts';
import { type TestTensor, writeModelFile } from '../learned/test-model.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { makeRandom } from '../test-random.ts';

export type ChordNetworkSize = { frontChannels: number; channels: number; dilations: number[] };

export function makeChordModel(size: ChordNetworkSize): Uint8Array {
  const { frontChannels, channels, dilations } = size;
  const random = makeRandom(1);
  const tensors: Record<string, TestTensor> = {
    'input.scale': { shape: [1], values: [0.9] },
    'input.offset': { shape: [1], values: [-0.3] },
  };
  const add = (name: string, shape: number[]): void => {
    const fanIn = shape.slice(1).reduce((product, n) => product * n, 1);
    const spread = Math.sqrt(3 / fanIn);
    tensors[`${name}.weight`] = {
      shape,
      values: Array.from({ length: fanIn * shape[0]! }, () => (2 * random() - 1) * spread),
    };
    tensors[`${name}.bias`] = {
      shape: [shape[0]!],
      values: Array.from({ length: shape[0]! }, () => random() - 0.5),
    };
  };
  add('conv1', [frontChannels, 1, 3, 5]);
  add('conv2', [frontChannels, frontChannels, 3, 5]);
  add('conv3', [frontChannels, frontChannels, 13]);
  add('fold', [channels, 6 * frontChannels, 12]);
  dilations.forEach((_, index) => {
    add(`block${index}`, [channels, channels, 3, 12]);
  });
  add('chord', [2, channels]);
  add('silence', [1, channels]);
  add('key_hidden', [channels, channels, 12]);
  add('key', [2, channels]);
  return writeModelFile({ kind: 'chord-cnn', ...size, input: { bins: 144, gain: 3 } }, tensors);
}

/** [channel][frame][position] */
type Planes = number[][][];
const elu = (x: number): number => (x > 0 ? x : Math.expm1(x));
const plane = (
  channels: number,
  frames: number,
  width: number,
  at: (c: number, t: number, k: number) => number,
): Planes =>
  Array.from({ length: channels }, (_, c) =>
    Array.from({ length: frames }, (_, t) => Array.from({ length: width }, (_, k) => at(c, t, k))),
  );

type Tensors = (name: string, shape: number[]) => Float32Array;

/** Log-probabilities [frame * 25 + class], by the definition of every layer in double precision. */
export function computeChordsPlainly(
  model: ModelFile,
  size: ChordNetworkSize,
  pitch: FrameMatrix,
  rms: number,
): number[] {
  const tensor: Tensors = (name, shape) => getTensor(model, name, shape);
  const gathered = computeFront(tensor, size, pitch, rms);
  const last = size.dilations.reduce(
    (planes, dilation, index) => addBlock(tensor, `block${index}`, planes, dilation),
    foldOctaves(tensor, size, gathered),
  );
  return readChords(tensor, last);
}

function computeFront(
  tensor: Tensors,
  { frontChannels: F }: ChordNetworkSize,
  pitch: FrameMatrix,
  rms: number,
): Planes {
  const frames = pitch.frameCount;
  const scale = tensor('input.scale', [1])[0]!;
  const offset = tensor('input.offset', [1])[0]!;
  /** Zero-padded in time and bands. */
  const convolve = (x: Planes, name: string, taps: number, width: number): Planes => {
    const weight = tensor(`${name}.weight`, taps > 1 ? [F, x.length, taps, width] : [F, x.length, width]);
    const bias = tensor(`${name}.bias`, [F]);
    return plane(F, frames, x[0]![0]!.length, (o, t, k) => {
      let sum = bias[o]!;
      for (let i = 0; i < x.length; i++) {
        for (let a = 0; a < taps; a++) {
          for (let b = 0; b < width; b++) {
            const value = x[i]![t + a - (taps >> 1)]?.[k + b - (width >> 1)] ?? 0;
            sum += value * weight[((o * x.length + i) * taps + a) * width + b]!;
          }
        }
      }
      return elu(sum);
    });
  };
  const input = plane(
    1,
    frames,
    144,
    (_c, t, k) => Math.log1p((3 * pitch.data[t * 144 + k]!) / (90.5 * (rms + 1e-6))) * scale + offset,
  );
  const bands = convolve(convolve(input, 'conv1', 3, 5), 'conv2', 3, 5);
  const semitones = plane(F, frames, 72, (c, t, k) =>
    Math.max(bands[c]![t]![2 * k]!, bands[c]![t]![2 * k + 1]!),
  );
  return convolve(semitones, 'conv3', 1, 13);
}

function foldOctaves(
  tensor: Tensors,
  { frontChannels: F, channels: C }: ChordNetworkSize,
  x: Planes,
): Planes {
  const weight = tensor('fold.weight', [C, 6 * F, 12]);
  const bias = tensor('fold.bias', [C]);
  return plane(C, x[0]!.length, 12, (o, t, p) => {
    let sum = bias[o]!;
    for (let i = 0; i < F; i++) {
      for (let octave = 0; octave < 6; octave++) {
        for (let j = 0; j < 12; j++) {
          sum += x[i]![t]![octave * 12 + ((p + j) % 12)]! * weight[(o * 6 * F + i * 6 + octave) * 12 + j]!;
        }
      }
    }
    return elu(sum);
  });
}

function addBlock(tensor: Tensors, name: string, input: Planes, dilation: number): Planes {
  const C = input.length;
  const weight = tensor(`${name}.weight`, [C, C, 3, 12]);
  const bias = tensor(`${name}.bias`, [C]);
  return plane(C, input[0]!.length, 12, (o, t, p) => {
    let sum = bias[o]!;
    for (let i = 0; i < C; i++) {
      for (let a = 0; a < 3; a++) {
        for (let j = 0; j < 12; j++) {
          const value = input[i]![t + (a - 1) * dilation]?.[(p + j) % 12] ?? 0;
          sum += value * weight[((o * C + i) * 3 + a) * 12 + j]!;
        }
      }
    }
    return input[o]![t]![p]! + elu(sum);
  });
}

function readChords(tensor: Tensors, y: Planes): number[] {
  const C = y.length;
  const chord = tensor('chord.weight', [2, C]);
  const chordBias = tensor('chord.bias', [2]);
  const none = tensor('silence.weight', [1, C]);
  const noneBias = tensor('silence.bias', [1]);
  return y[0]!.flatMap((_, t) => {
    const logits = Array.from({ length: 24 }, (_, k) =>
      y.reduce(
        (sum, channel, c) => sum + channel[t]![k % 12]! * chord[(k < 12 ? 0 : C) + c]!,
        chordBias[k < 12 ? 0 : 1]!,
      ),
    );
    logits.push(
      y.reduce(
        (sum, channel, c) => sum + (none[c]! * channel[t]!.reduce((a, b) => a + b, 0)) / 12,
        noneBias[0]!,
      ),
    );
    const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    return logits.map((logit) => logit - total);
  });
}
