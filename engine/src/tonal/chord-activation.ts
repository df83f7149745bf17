/**
 * How probable is each of 25 chords in every frame? The common output of the templates and the network, and the input of the chord decoder.
 *
 * Classes: twelve major triads from C, twelve minor triads from C, no chord.
 */

import { ParameterError } from '../parameter-error.ts';

export const CHORD_CLASS_COUNT = 25;
export const NO_CHORD = 24;

export type ChordActivation = {
  frameRateHz: number;
  frameCount: number;
  /** Natural logarithms, CHORD_CLASS_COUNT per frame; the probabilities of a frame need not sum to one. */
  logProbabilities: Float32Array;
  source: 'learned' | 'classical';
};

export function createChordActivation(
  frameRateHz: number,
  frameCount: number,
  source: ChordActivation['source'],
): ChordActivation {
  return {
    frameRateHz,
    frameCount,
    logProbabilities: new Float32Array(frameCount * CHORD_CLASS_COUNT),
    source,
  };
}

/** Turns `count` scores from index `start` on into log-probabilities, in place. */
export function normaliseLogRow(values: Float32Array, start: number, count: number): void {
  let largest = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < count; c++) largest = Math.max(largest, values[start + c]!);
  let sum = 0;
  for (let c = 0; c < count; c++) sum += Math.exp(values[start + c]! - largest);
  const logSum = largest + Math.log(sum);
  for (let c = 0; c < count; c++) values[start + c]! -= logSum;
}

/**
 * The exponent of the templates' probabilities, which are multiplied with the network's. The two err on different songs, and together beat either
 * (docs/algorithms.md); exponents from 0.5 to 1.3 are equally good on the dev corpus.
 */
const TEMPLATE_WEIGHT = 0.7;

export function combineActivations(learned: ChordActivation, classical: ChordActivation): ChordActivation {
  if (learned.frameCount !== classical.frameCount || learned.frameRateHz !== classical.frameRateHz) {
    throw new ParameterError('combined activations must have the same frames');
  }
  const both = createChordActivation(learned.frameRateHz, learned.frameCount, 'learned');
  for (let i = 0; i < both.logProbabilities.length; i++) {
    both.logProbabilities[i] =
      learned.logProbabilities[i]! + TEMPLATE_WEIGHT * classical.logProbabilities[i]!;
  }
  return both;
}
