/**
 * What tells speech, music and noise apart in three seconds of sound.
 *
 * Speech has syllables (three to seven a second), pauses between words, pitch that glides, and fricatives that swing the spectrum up and down;
 * music holds its tones, fills its pauses and strikes; noise is flat and changes little. The features are those of
 * Scheirer and Slaney ("Construction and evaluation of a robust multifeature speech/music discriminator", ICASSP 1997), as far as the
 * spectra at hand give them, and the stability of pitch. None depends on gain or, much, on bandwidth.
 */

import { type FrameMatrix, frameAt } from '../signal/frame-matrix.ts';

export const WINDOW_SECONDS = 3;

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

/** Frames below this share of the window's mean energy are pauses. */
const PAUSE_SHARE = 0.1;
/** -30 dB: how deep a pause is says more about the room than about the sound. */
const PAUSE_FLOOR = 1e-3;
const SYLLABLES_HZ = { low: 3, high: 8 };
const BEAT_SECONDS = { min: 0.24, max: 1.2 };
/** 0.3 s: a sung or played tone lasts, a spoken vowel has moved on. */
const STABILITY_FRAMES = 3;
const LEVEL_FLOOR = 1e-9;

/** What windows need of every frame, computed once: windows overlap by two thirds. */
export type FrameFeatures = {
  frameRateHz: number;
  energies: Float64Array;
  centroids: Float64Array;
  flatnesses: Float64Array;
  fluxes: Float64Array;
  pitchRateHz: number;
  pitchPeaks: Float64Array[];
  pitchContrasts: Float64Array;
};

export function describeFrames(mel: FrameMatrix, pitch: FrameMatrix): FrameFeatures {
  const rows = listRows(mel);
  const shapes = rows.map(describeShape);
  const pitches = listRows(pitch);
  return {
    frameRateHz: mel.frameRateHz,
    energies: Float64Array.from(rows, (bands) => bands.reduce((sum, value) => sum + value * value, 0)),
    centroids: Float64Array.from(shapes, ({ centroid }) => centroid),
    flatnesses: Float64Array.from(shapes, ({ flatness }) => flatness),
    fluxes: Float64Array.from(rows, (bands, i) => (i === 0 ? 0 : measureFlux(bands, rows[i - 1]!))),
    pitchRateHz: pitch.frameRateHz,
    pitchPeaks: pitches.map(keepPeaks),
    pitchContrasts: Float64Array.from(pitches, measureContrast),
  };
}

/** In the order of FEATURE_NAMES, of the window that begins at `startSeconds`; null when it is silent or the file ends before it does. */
export function describeWindow(
  frames: FrameFeatures,
  startSeconds: number,
  silenceLevel: number,
): WindowFeatures | null {
  const first = Math.round(startSeconds * frames.frameRateHz);
  const end = first + Math.round(WINDOW_SECONDS * frames.frameRateHz);
  const firstPitch = Math.round(startSeconds * frames.pitchRateHz);
  const endPitch = firstPitch + Math.round(WINDOW_SECONDS * frames.pitchRateHz);
  if (end > frames.energies.length || endPitch > frames.pitchPeaks.length) return null;
  const energies = frames.energies.subarray(first, end);
  const mean = meanOf(energies);
  if (mean <= silenceLevel) return null;
  const sounds = (_: number, i: number): boolean => energies[i]! > PAUSE_SHARE * PAUSE_SHARE * mean;
  const levels = energies.map((energy) => Math.log(Math.max(energy / mean, PAUSE_FLOOR)));
  const flatnesses = frames.flatnesses.subarray(first, end).filter(sounds);
  return Float64Array.of(
    energies.filter((energy) => energy < PAUSE_SHARE * mean).length / energies.length,
    measureModulation(levels, frames.frameRateHz),
    spreadOf(levels),
    measureAttack(levels),
    measurePeriodicity(levels, frames.frameRateHz),
    meanOf(flatnesses),
    spreadOf(flatnesses),
    spreadOf(frames.centroids.subarray(first, end).filter(sounds)),
    meanOf(frames.fluxes.subarray(first + 1, end)),
    measureStability(frames.pitchPeaks.slice(firstPitch, endPitch)),
    meanOf(frames.pitchContrasts.subarray(firstPitch, endPitch)),
  );
}

function listRows(matrix: FrameMatrix): Float32Array[] {
  return Array.from({ length: matrix.frameCount }, (_, i) => frameAt(matrix, i));
}

/** Centroid as a share of the bands, flatness as a logarithm. */
function describeShape(bands: Float32Array): { centroid: number; flatness: number } {
  let sum = 0;
  let moment = 0;
  let logs = 0;
  for (let band = 0; band < bands.length; band++) {
    const value = bands[band]! + LEVEL_FLOOR;
    sum += value;
    moment += value * band;
    logs += Math.log(value);
  }
  return {
    centroid: moment / sum / bands.length,
    flatness: logs / bands.length - Math.log(sum / bands.length),
  };
}

/** Share of the level's movement that has the pace of syllables. By Parseval the whole movement is the variance. */
function measureModulation(levels: Float64Array, frameRateHz: number): number {
  const size = levels.length;
  const mean = meanOf(levels);
  let variance = 0;
  for (const level of levels) variance += (level - mean) ** 2;
  if (variance === 0) return 0;
  let syllables = 0;
  for (
    let k = Math.ceil((SYLLABLES_HZ.low * size) / frameRateHz);
    k <= (SYLLABLES_HZ.high * size) / frameRateHz;
    k++
  ) {
    let re = 0;
    let im = 0;
    const turn = (2 * Math.PI * k) / size;
    const [stepRe, stepIm] = [Math.cos(turn), Math.sin(turn)];
    let [cos, sin] = [1, 0];
    for (let n = 0; n < size; n++) {
      re += (levels[n]! - mean) * cos;
      im += (levels[n]! - mean) * sin;
      [cos, sin] = [cos * stepRe - sin * stepIm, cos * stepIm + sin * stepRe];
    }
    syllables += re * re + im * im;
  }
  return (2 * syllables) / (size * variance);
}

/** Skewness of the level's steps: strokes rise at once and fade, syllables swell and fade alike. */
function measureAttack(levels: Float64Array): number {
  const steps = levels.subarray(1).map((level, i) => level - levels[i]!);
  const squares = meanOf(steps.map((step) => step ** 2));
  return squares === 0 ? 0 : meanOf(steps.map((step) => step ** 3)) / squares ** 1.5;
}

/** The highest autocorrelation of the level at the distance of beats: what repeats is played. */
function measurePeriodicity(levels: Float64Array, frameRateHz: number): number {
  const mean = meanOf(levels);
  const moves = levels.map((level) => level - mean);
  const power = moves.reduce((sum, move) => sum + move * move, 0);
  if (power === 0) return 0;
  let highest = 0;
  for (let lag = Math.round(BEAT_SECONDS.min * frameRateHz); lag <= BEAT_SECONDS.max * frameRateHz; lag++) {
    let product = 0;
    for (let i = lag; i < moves.length; i++) product += moves[i]! * moves[i - lag]!;
    highest = Math.max(highest, (product / power) * (moves.length / (moves.length - lag)));
  }
  return highest;
}

/** How much of the spectrum, scaled to sum 1, is new since the frame before. */
function measureFlux(bands: Float32Array, before: Float32Array): number {
  let total = LEVEL_FLOOR;
  let totalBefore = LEVEL_FLOOR;
  for (let band = 0; band < bands.length; band++) {
    total += bands[band]!;
    totalBefore += before[band]!;
  }
  let risen = 0;
  for (let band = 0; band < bands.length; band++) {
    risen += Math.max(0, bands[band]! / total - before[band]! / totalBefore);
  }
  return risen;
}

/** Mean likeness (cosine) of the peaks of pitch spectra 0.3 s apart. */
function measureStability(peaks: Float64Array[]): number {
  const likenesses: number[] = [];
  for (let i = STABILITY_FRAMES; i < peaks.length; i++) {
    likenesses.push(cosineOf(peaks[i]!, peaks[i - STABILITY_FRAMES]!));
  }
  return meanOf(likenesses);
}

/** What stands above one and a half times the mean of its surroundings of an octave, compressed. */
function keepPeaks(bands: Float32Array): Float64Array {
  const reach = 12;
  const sums = new Float64Array(bands.length + 1);
  for (let band = 0; band < bands.length; band++) sums[band + 1] = sums[band]! + bands[band]!;
  return Float64Array.from(bands, (value, band) => {
    const first = Math.max(0, band - reach);
    const end = Math.min(bands.length, band + reach + 1);
    return Math.sqrt(Math.max(0, value - (1.5 * (sums[end]! - sums[first]!)) / (end - first)));
  });
}

/** How far the strongest tenth of the pitch bands stands above the mean, in natural logarithms. */
function measureContrast(bands: Float32Array): number {
  const sorted = bands.slice().sort();
  const strongest = sorted.subarray(-Math.round(bands.length / 10));
  return Math.log((meanOf(strongest) + LEVEL_FLOOR) / (meanOf(sorted) + LEVEL_FLOOR));
}

function cosineOf(a: Float64Array, b: Float64Array): number {
  let product = 0;
  let normA = 0;
  let normB = 0;
  for (let k = 0; k < a.length; k++) {
    product += a[k]! * b[k]!;
    normA += a[k]! ** 2;
    normB += b[k]! ** 2;
  }
  return normA === 0 || normB === 0 ? 0 : product / Math.sqrt(normA * normB);
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return values.length === 0 ? 0 : sum / values.length;
}

function spreadOf(values: Float64Array): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}
