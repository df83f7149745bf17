/**
 * Which key does the chord network find in a passage of music?
 *
 * From the mean of its features over the passage: a hidden layer that is circular over the pitch classes, then a major and a minor logit for each of
 * them. chord-network.ts describes the network and names its source.
 */

import { getTensor, type ModelFile } from '../learned/model-file.ts';
import type { Kernels } from '../signal/kernels.ts';
import { normaliseLogRow } from './chord-activation.ts';
import type { KeyHead } from './key-evidence.ts';
import { KEY_COUNT, PITCH_CLASS_COUNT } from './key-name.ts';

export function createKeyHead(kernels: Kernels, model: ModelFile, channels: number): KeyHead {
  const hiddenWeight = kernels.copyDoubles(
    packHidden(getTensor(model, 'key_hidden.weight', [channels, channels, PITCH_CLASS_COUNT]), channels),
  ).pointer;
  const hiddenBias = getTensor(model, 'key_hidden.bias', [channels]);
  const weight = getTensor(model, 'key.weight', [2, channels]);
  const bias = getTensor(model, 'key.bias', [2]);
  const featureCount = PITCH_CLASS_COUNT * channels;
  const circle = kernels.allocateDoubles(2 * featureCount);
  const hidden = kernels.allocateDoubles(channels);
  const score = (mean: Float32Array): Float32Array => {
    circle.view.set(mean);
    circle.view.set(mean, featureCount);
    const logits = new Float32Array(KEY_COUNT);
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
      const from = circle.pointer + p * channels * Float64Array.BYTES_PER_ELEMENT;
      hidden.view.set(hiddenBias);
      kernels.exports.projectOnto(hiddenWeight, channels, from, featureCount, hidden.pointer);
      const { view } = hidden;
      let major = bias[0]!;
      let minor = bias[1]!;
      for (let out = 0; out < channels; out++) {
        const active = view[out]! > 0 ? view[out]! : Math.expm1(view[out]!);
        major += weight[out]! * active;
        minor += weight[channels + out]! * active;
      }
      logits[p] = major;
      logits[PITCH_CLASS_COUNT + p] = minor;
    }
    normaliseLogRow(logits, 0, KEY_COUNT);
    return logits;
  };
  return { featureCount, score };
}

/** Reorders [out, in, interval] to [out, interval, in], the order of the features; intervals are pitch classes above the output's. */
function packHidden(weight: Float32Array, channels: number): Float64Array {
  const packed = new Float64Array(weight.length);
  for (let out = 0; out < channels; out++) {
    for (let ahead = 0; ahead < PITCH_CLASS_COUNT; ahead++) {
      for (let c = 0; c < channels; c++) {
        packed[(out * PITCH_CLASS_COUNT + ahead) * channels + c] =
          weight[(out * channels + c) * PITCH_CLASS_COUNT + ahead]!;
      }
    }
  }
  return packed;
}
