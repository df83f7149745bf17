/** The part of the chord network that hears keys: a circular layer over the pitch classes of the mean over time. */

import { getTensor, type ModelFile } from '../learned/model-file.ts';
import { normaliseLogRow } from './chord-activation.ts';
import type { KeyHead } from './key-evidence.ts';
import { KEY_COUNT, PITCH_CLASS_COUNT } from './key-name.ts';

/** Key logits of features averaged over any stretch of time; small enough to need no kernel. */
export function createKeyHead(model: ModelFile, channels: number): KeyHead {
  const hiddenWeight = packHidden(
    getTensor(model, 'key_hidden.weight', [channels, channels, PITCH_CLASS_COUNT]),
    channels,
  );
  const hiddenBias = getTensor(model, 'key_hidden.bias', [channels]);
  const weight = getTensor(model, 'key.weight', [2, channels]);
  const bias = getTensor(model, 'key.bias', [2]);
  const featureCount = PITCH_CLASS_COUNT * channels;
  const circle = new Float64Array(2 * featureCount);
  const score = (mean: Float32Array): Float32Array => {
    circle.set(mean);
    circle.set(mean, featureCount);
    const logits = new Float32Array(KEY_COUNT);
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
      let major = bias[0]!;
      let minor = bias[1]!;
      for (let out = 0; out < channels; out++) {
        let sum = hiddenBias[out]!;
        const from = p * channels;
        const row = out * featureCount;
        for (let i = 0; i < featureCount; i++) sum += hiddenWeight[row + i]! * circle[from + i]!;
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
  return { featureCount, score };
}

/** From [out, in, pitch class ahead] to [out, pitch class ahead, in], the order of the features. */
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
