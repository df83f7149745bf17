/**
 * Chord probabilities without a network: how well does each triad explain the chroma?
 *
 * The cosine of the middle-register chroma with a triad's three pitch classes, plus a smaller part for the bass sounding the root
 * (or, less convincingly, the fifth or the third), scaled to log-odds. No chord has a constant score that a clear triad exceeds.
 *
 * Templates: Fujishima, "Realtime Chord Recognition of Musical Sound", ICMC 1999; bass evidence as in Mauch and Dixon, ISMIR 2010.
 */

import {
  CHORD_CLASS_COUNT,
  type ChordActivation,
  createChordActivation,
  NO_CHORD,
  normaliseLogRow,
} from './chord-activation.ts';
import type { Chroma } from './chroma.ts';
import { PITCH_CLASS_COUNT } from './key-name.ts';

/** Log-odds per unit of score. Fitted with the switch penalty of the decoder; flat from 6 to 10. */
const SHARPNESS = 10;
const BASS_WEIGHT = 0.4;
const BASS_TEMPLATE = { root: 1, fifth: 0.4, third: 0.3 };
/** Below the score of any clear triad (about 0.8), above that of spread chroma. */
const NO_CHORD_SCORE = 0.5;
/** Frames far below the mean level get short chroma vectors, so that they say little. */
const LEVEL_FLOOR_SHARE = 0.05;

const FIFTH = 7;
const MAJOR_THIRD = 4;
const MINOR_THIRD = 3;

export function matchChordTemplates({ middle, bass }: Chroma): ChordActivation {
  const activation = createChordActivation(middle.frameRateHz, middle.frameCount, 'classical');
  const middleFloor = LEVEL_FLOOR_SHARE * rootMeanSquareLength(middle.data) + Number.EPSILON;
  const bassFloor = LEVEL_FLOOR_SHARE * rootMeanSquareLength(bass.data) + Number.EPSILON;
  const out = activation.logProbabilities;
  for (let frame = 0; frame < middle.frameCount; frame++) {
    const chroma = frame * PITCH_CLASS_COUNT;
    const row = frame * CHORD_CLASS_COUNT;
    const middleScale = 1 / (lengthOfRow(middle.data, chroma) + middleFloor) / Math.sqrt(3);
    const bassScale = BASS_WEIGHT / (lengthOfRow(bass.data, chroma) + bassFloor);
    for (let root = 0; root < PITCH_CLASS_COUNT; root++) {
      const fifth = (root + FIFTH) % PITCH_CLASS_COUNT;
      const hollow = middle.data[chroma + root]! + middle.data[chroma + fifth]!;
      const low =
        BASS_TEMPLATE.root * bass.data[chroma + root]! + BASS_TEMPLATE.fifth * bass.data[chroma + fifth]!;
      for (const [offset, interval] of [
        [0, MAJOR_THIRD],
        [PITCH_CLASS_COUNT, MINOR_THIRD],
      ] as const) {
        const third = (root + interval) % PITCH_CLASS_COUNT;
        const score =
          middleScale * (hollow + middle.data[chroma + third]!) +
          bassScale * (low + BASS_TEMPLATE.third * bass.data[chroma + third]!);
        out[row + offset + root] = SHARPNESS * score;
      }
    }
    out[row + NO_CHORD] = SHARPNESS * NO_CHORD_SCORE;
    normaliseLogRow(out, row, CHORD_CLASS_COUNT);
  }
  return activation;
}

function lengthOfRow(data: Float32Array, start: number): number {
  let sum = 0;
  for (let p = 0; p < PITCH_CLASS_COUNT; p++) sum += data[start + p]! ** 2;
  return Math.sqrt(sum);
}

function rootMeanSquareLength(data: Float32Array): number {
  let sum = 0;
  for (const value of data) sum += value * value;
  return data.length === 0 ? 0 : Math.sqrt((sum / data.length) * PITCH_CLASS_COUNT);
}
