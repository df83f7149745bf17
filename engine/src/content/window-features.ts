/**
 * What tells speech, music and noise apart in three seconds of sound?
 *
 * Speech has syllables (three to seven a second), pauses between words, gliding pitch, and fricatives that move the spectrum up and down; music has
 * sustained tones, few pauses and sharp attacks; noise is flat and changes little. The features are those of Scheirer and Slaney ("Construction and
 * evaluation of a robust multifeature speech/music discriminator", ICASSP 1997) that our spectra allow, and the stability and contrast of pitch.
 * None depends on gain, or much on bandwidth.
 */

import { type FrameFeatures, STABILITY_FRAMES } from './frame-features.ts';
import { WINDOW_SECONDS } from './level-movement.ts';

export const FEATURE_NAMES = [
  'pauses',
  'syllables',
  'levelSpread',
  'attack',
  'periodicity',
  'flatness',
  'flatnessSpread',
  'centroidSpread',
  'flux',
  'pitchStability',
  'pitchContrast',
] as const;

export type WindowFeatures = Float64Array;

/** A frame more than 10 dB below the mean energy of the window is a pause. The classifier was fitted with this and the next two. */
const PAUSE_ENERGY_SHARE_MAX = 0.1;
/** Frames more than 20 dB below the mean energy are left out of the spectral features. */
const SOUNDING_ENERGY_SHARE_MIN = PAUSE_ENERGY_SHARE_MAX * PAUSE_ENERGY_SHARE_MAX;
/** Levels stop at 30 dB below the mean energy: the depth of a pause depends more on the room than on the source. */
const ENERGY_SHARE_FLOOR = 1e-3;

/** The features of the window that begins at `startSeconds`, in the order of FEATURE_NAMES; null when it is silent or reaches beyond the file. */
export function describeWindow(
  frames: FrameFeatures,
  startSeconds: number,
  silenceEnergy: number,
): WindowFeatures | null {
  const first = Math.round(startSeconds * frames.frameRateHz);
  const end = first + Math.round(WINDOW_SECONDS * frames.frameRateHz);
  const firstPitch = Math.round(startSeconds * frames.pitchRateHz);
  const endPitch = firstPitch + Math.round(WINDOW_SECONDS * frames.pitchRateHz);
  if (end > frames.energies.length || endPitch > frames.pitchSimilarities.length) return null;
  const energies = frames.energies.subarray(first, end);
  const mean = meanOf(energies);
  if (mean <= silenceEnergy) return null;
  const levels = new Float64Array(energies.length);
  let pauseCount = 0;
  for (let i = 0; i < energies.length; i++) {
    levels[i] = Math.log(Math.max(energies[i]! / mean, ENERGY_SHARE_FLOOR));
    if (energies[i]! < PAUSE_ENERGY_SHARE_MAX * mean) pauseCount++;
  }
  const keepSounding = (values: Float64Array): Float64Array =>
    keepWhereLoud(values.subarray(first, end), energies, SOUNDING_ENERGY_SHARE_MIN * mean);
  const flatnesses = keepSounding(frames.flatnesses);
  return Float64Array.of(
    pauseCount / energies.length,
    frames.movement.measureModulation(levels),
    spreadOf(levels),
    measureAttack(levels),
    frames.movement.measurePeriodicity(levels),
    meanOf(flatnesses),
    spreadOf(flatnesses),
    spreadOf(keepSounding(frames.centroids)),
    meanOf(frames.fluxes.subarray(first + 1, end)),
    meanOf(frames.pitchSimilarities.subarray(firstPitch + STABILITY_FRAMES, endPitch)),
    meanOf(frames.pitchContrasts.subarray(firstPitch, endPitch)),
  );
}

/** The values of the frames whose energy is above the floor; the loudest frame always is. */
function keepWhereLoud(values: Float64Array, energies: ArrayLike<number>, floor: number): Float64Array {
  const kept = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (energies[i]! > floor) kept[count++] = values[i]!;
  return kept.subarray(0, count);
}

/** Skewness of the level's steps about 0: the level of a stroke rises at once and fades slowly, that of a syllable rises and falls alike. */
function measureAttack(levels: Float64Array): number {
  let squares = 0;
  let cubes = 0;
  for (let i = 1; i < levels.length; i++) {
    const step = levels[i]! - levels[i - 1]!;
    squares += step * step;
    cubes += step * step * step;
  }
  const count = levels.length - 1;
  return squares === 0 ? 0 : cubes / count / (squares / count) ** 1.5;
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

function spreadOf(values: Float64Array): number {
  const mean = meanOf(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i]! - mean;
    squares += deviation * deviation;
  }
  return Math.sqrt(squares / values.length);
}
