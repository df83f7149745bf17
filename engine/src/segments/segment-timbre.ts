/**
 * What is the timbre of each segment?
 *
 * Twelve numbers from the mean mel spectrum of the segment, in decibels:
 *   0      its RMS level above -60 dBFS, so that full scale is 60; never below 0
 *   1..11  the shape of its spectrum: the cosine transform of the band levels, minus the mean over music
 *
 * Davis and Mermelstein, "Comparison of Parametric Representations for Monosyllabic Word Recognition", IEEE Trans. ASSP 28(4), 1980.
 * Deviations: one spectrum per segment instead of one per frame, so that a rest inside the segment does not blur it; bands counted from the highest
 * down, so that coefficient 1 grows with brightness (sound above 1.9 kHz against sound below), as Spotify described its second; a floor relative to the
 * segment, so that its shape does not depend on its level.
 *
 * The transform is orthonormal, so distances between shapes are at most those between the band levels. Spotify never published its own basis: these
 * numbers serve the same purpose but are not the same.
 * Output: twelve values for every segment; all 0 for silence.
 */

import { type BandRow, listMelEdges, loadBandTable } from '../signal/band-weights.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { ANALYSIS_RATE_HZ, MEL_FRAMES } from '../signal/front-end.ts';
import type { FloatRegion, Kernels } from '../signal/kernels.ts';
import { createFrameAverager } from './frame-averager.ts';
import { findFramesInside, type SegmentSpan } from './segment-spans.ts';

export const TIMBRE_VALUE_COUNT = 12;
const WINDOW_SECONDS = MEL_FRAMES.fftSize / ANALYSIS_RATE_HZ;
/** The level at which value 0 is 0. */
const LEVEL_ZERO_DBFS = -60;
/** A segment this far below the recording is silent: what energy it has leaks in from its neighbours at the edge of the window. Set by hand. */
const SILENCE_BELOW_DB = 60;
/** Bands 60 dB or more below the strongest one of the segment count as 60 dB below it, because leakage of the window is about as strong. */
const FLOOR_RATIO = 1e-3;
const DECIBELS_PER_LOG = 20 / Math.LN10;

/**
 * Means of shape coefficients 1..11 over music: 14 songs of the dev corpus and the 13 real recordings, with equal weight for each song and then for
 * each corpus. Their standard deviations between songs are 35, 20, 20, and at most 10 for the others.
 */
const SHAPE_MEANS = [-81, 0, -15, 4, -6, 0, -1, -3, 0, -1, -1];

/** `rms` is that of the whole recording; full scale is 1. */
export function measureTimbreOfSegments(
  kernels: Kernels,
  mel: FrameMatrix,
  rms: number,
  spans: readonly SegmentSpan[],
): Float64Array {
  const spectrum = createFrameAverager(kernels, mel);
  const measurePower = createPowerMeter(mel.binCount);
  const describeShape = createShapeReader(kernels, mel.binCount);
  const powers = new Float64Array(spans.length);
  const timbre = new Float64Array(TIMBRE_VALUE_COUNT * spans.length);
  spans.forEach((span, segment) => {
    const { first, end } = findFramesInside(span, mel, WINDOW_SECONDS);
    spectrum.average(first, end);
    powers[segment] = measurePower(spectrum.mean.view);
    describeShape(spectrum.mean, timbre, segment * TIMBRE_VALUE_COUNT);
  });
  setLevels(timbre, powers, rms, spans);
  return timbre;
}

/**
 * Scales the powers so that the segments together have the level of the recording. That level is exact, whereas the power of mel magnitudes depends on
 * whether tones or noise fill a band. In silence the ratio is NaN, and all values become 0.
 */
function setLevels(
  timbre: Float64Array,
  powers: Float64Array,
  rms: number,
  spans: readonly SegmentSpan[],
): void {
  let energy = 0;
  let seconds = 0;
  spans.forEach(({ startSeconds, endSeconds }, segment) => {
    energy += powers[segment]! * (endSeconds - startSeconds);
    seconds += endSeconds - startSeconds;
  });
  const recordingDbfs = 20 * Math.log10(rms);
  for (let segment = 0; segment < spans.length; segment++) {
    const at = segment * TIMBRE_VALUE_COUNT;
    const aboveRecordingDb = 10 * Math.log10((powers[segment]! * seconds) / energy);
    if (aboveRecordingDb > -SILENCE_BELOW_DB) {
      timbre[at] = Math.max(0, recordingDbfs + aboveRecordingDb - LEVEL_ZERO_DBFS);
    } else {
      timbre.fill(0, at, at + TIMBRE_VALUE_COUNT);
    }
  }
}

/** The power of a spectrum on an arbitrary scale. Bands are mean magnitudes, so each square is weighted by the width of its band. */
function createPowerMeter(bandCount: number): (spectrum: Float32Array) => number {
  const edgesHz = Float64Array.from(listMelEdges({ ...MEL_FRAMES, bandCount }));
  return (spectrum) => {
    let power = 0;
    for (let band = 0; band < bandCount; band++) {
      const magnitude = spectrum[band]!;
      power += (edgesHz[band + 2]! - edgesHz[band]!) * magnitude * magnitude;
    }
    return power;
  };
}

/** Writes the shape of a spectrum, which may have any scale, to `timbre` after the level at index `at`; leaves zeros for silence. */
function createShapeReader(
  kernels: Kernels,
  bandCount: number,
): (spectrum: FloatRegion, timbre: Float64Array, at: number) => void {
  const { exports } = kernels;
  const cosines = loadBandTable(kernels, createCosineRows(bandCount));
  // The kernel reads four values at a time.
  const decibels = kernels.allocateFloats(4 * Math.ceil(bandCount / 4));
  const shape = kernels.allocateFloats(SHAPE_MEANS.length);
  return (spectrum, timbre, at) => {
    const largest = exports.findPeak(spectrum.pointer, bandCount);
    if (largest === 0) return;
    const [input, output] = [spectrum.pointer, decibels.pointer];
    exports.takeLogarithms(input, output, bandCount, 1 / largest, 0, FLOOR_RATIO, DECIBELS_PER_LOG, 0);
    exports.sumBands(output, cosines.bands, cosines.count, cosines.weights, shape.pointer);
    const coefficients = shape.view;
    for (let k = 0; k < SHAPE_MEANS.length; k++) timbre[at + 1 + k] = coefficients[k]! - SHAPE_MEANS[k]!;
  };
}

/** The orthonormal cosine transform without its first row, the mean. */
function createCosineRows(bandCount: number): BandRow[] {
  return SHAPE_MEANS.map((_, index) => ({
    firstBin: 0,
    weights: Float64Array.from(
      { length: bandCount },
      (_, band) =>
        Math.sqrt(2 / bandCount) * Math.cos((Math.PI * (index + 1) * (bandCount - band - 0.5)) / bandCount),
    ),
  }));
}
