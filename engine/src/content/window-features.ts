/**
 * What tells speech, music and noise apart in three seconds of sound.
 *
 * Speech has syllables (three to seven a second), pauses between words, pitch that glides, and fricatives that swing the spectrum up and down;
 * music holds its tones, fills its pauses and strikes; noise is flat and changes little. The features are those of
 * Scheirer and Slaney ("Construction and evaluation of a robust multifeature speech/music discriminator", ICASSP 1997), as far as the
 * spectra at hand give them, and the stability of pitch. None depends on gain or, much, on bandwidth.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';

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
const PEAK_REACH_BANDS = 12;
const LEVEL_FLOOR = 1e-9;

/** What windows need of every frame, computed once: windows overlap by two thirds. */
export type FrameFeatures = {
  frameRateHz: number;
  energies: Float64Array;
  centroids: Float64Array;
  flatnesses: Float64Array;
  fluxes: Float64Array;
  pitchRateHz: number;
  /** How alike (cosine) the peaks of each pitch frame and of the one STABILITY_FRAMES before are. */
  pitchLikenesses: Float64Array;
  pitchContrasts: Float64Array;
};

export function describeFrames(mel: FrameMatrix, pitch: FrameMatrix): FrameFeatures {
  return {
    frameRateHz: mel.frameRateHz,
    ...describeShapes(mel),
    pitchRateHz: pitch.frameRateHz,
    pitchLikenesses: comparePeaks(pitch),
    pitchContrasts: measureContrasts(pitch),
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
  if (end > frames.energies.length || endPitch > frames.pitchLikenesses.length) return null;
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
    meanOf(frames.pitchLikenesses.subarray(firstPitch + STABILITY_FRAMES, endPitch)),
    meanOf(frames.pitchContrasts.subarray(firstPitch, endPitch)),
  );
}

type Shapes = Pick<FrameFeatures, 'energies' | 'centroids' | 'flatnesses' | 'fluxes'>;

/** Energy; centroid as a share of the bands; flatness as a logarithm; how much of the spectrum, scaled to sum 1, is new since the frame before. */
function describeShapes(mel: FrameMatrix): Shapes {
  const { frameCount, binCount, data } = mel;
  const [energies, centroids, flatnesses, fluxes] = Array.from(
    { length: 4 },
    () => new Float64Array(frameCount),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const logMel = createLogFrames(createKernels(), mel, { gain: 1, shift: LEVEL_FLOOR });
  let totalBefore = 0;
  for (let frame = 0; frame < frameCount; frame++) {
    const at = frame * binCount;
    const logAt = logMel.seek(frame);
    const logs = logMel.data;
    let energy = 0;
    let sum = 0;
    let moment = 0;
    let logSum = 0;
    for (let band = 0; band < binCount; band++) {
      const value = data[at + band]!;
      energy += value * value;
      sum += value;
      moment += (value + LEVEL_FLOOR) * band;
      logSum += logs[logAt + band]!;
    }
    const total = sum + LEVEL_FLOOR;
    const lifted = sum + binCount * LEVEL_FLOOR;
    energies[frame] = energy;
    centroids[frame] = moment / lifted / binCount;
    flatnesses[frame] = logSum / binCount - Math.log(lifted / binCount);
    if (frame > 0) fluxes[frame] = measureFlux(data, at, binCount, total, totalBefore);
    totalBefore = total;
  }
  return { energies, centroids, flatnesses, fluxes };
}

function measureFlux(
  data: Float32Array,
  at: number,
  binCount: number,
  total: number,
  totalBefore: number,
): number {
  const scale = 1 / total;
  const scaleBefore = 1 / totalBefore;
  let risen = 0;
  for (let k = at; k < at + binCount; k++) {
    const rise = data[k]! * scale - data[k - binCount]! * scaleBefore;
    if (rise > 0) risen += rise;
  }
  return risen;
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

/** Zero for the first STABILITY_FRAMES frames. */
function comparePeaks(pitch: FrameMatrix): Float64Array {
  const likenesses = new Float64Array(pitch.frameCount);
  const ring = Array.from({ length: STABILITY_FRAMES + 1 }, () => new Float64Array(pitch.binCount));
  for (let frame = 0; frame < pitch.frameCount; frame++) {
    const peaks = ring[frame % ring.length]!;
    keepPeaks(pitch.data, frame * pitch.binCount, peaks);
    if (frame >= STABILITY_FRAMES) {
      likenesses[frame] = cosineOf(peaks, ring[(frame - STABILITY_FRAMES) % ring.length]!);
    }
  }
  return likenesses;
}

/** What stands above one and a half times the mean of its surroundings of an octave, compressed. */
function keepPeaks(data: Float32Array, at: number, peaks: Float64Array): void {
  const count = peaks.length;
  // [first, end) is the octave around the band, `sum` the sum over it.
  let end = 0;
  let first = 0;
  let sum = 0;
  for (let band = 0; band < count; band++) {
    while (end < count && end <= band + PEAK_REACH_BANDS) sum += data[at + end++]!;
    while (first < band - PEAK_REACH_BANDS) sum -= data[at + first++]!;
    const above = data[at + band]! - (1.5 * sum) / (end - first);
    peaks[band] = above > 0 ? Math.sqrt(above) : 0;
  }
}

/** How far the strongest tenth of the pitch bands stands above the mean, in natural logarithms. */
function measureContrasts(pitch: FrameMatrix): Float64Array {
  const strongest = new Float64Array(Math.round(pitch.binCount / 10));
  const contrasts = new Float64Array(pitch.frameCount);
  for (let frame = 0; frame < pitch.frameCount; frame++) {
    strongest.fill(0);
    let sum = 0;
    for (let at = frame * pitch.binCount; at < (frame + 1) * pitch.binCount; at++) {
      const value = pitch.data[at]!;
      sum += value;
      if (value > strongest[0]!) insertAscending(strongest, value);
    }
    const mean = sum / pitch.binCount;
    contrasts[frame] = Math.log((meanOf(strongest) + LEVEL_FLOOR) / (mean + LEVEL_FLOOR));
  }
  return contrasts;
}

/** In place of the first, the smallest. */
function insertAscending(values: Float64Array, value: number): void {
  let at = 0;
  while (at + 1 < values.length && values[at + 1]! < value) {
    values[at] = values[at + 1]!;
    at++;
  }
  values[at] = value;
}

function cosineOf(a: Float64Array, b: Float64Array): number {
  let product = 0;
  let normA = 0;
  let normB = 0;
  for (let k = 0; k < a.length; k++) {
    product += a[k]! * b[k]!;
    normA += a[k]! * a[k]!;
    normB += b[k]! * b[k]!;
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
