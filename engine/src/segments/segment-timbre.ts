/**
 * What does each segment sound like, apart from its pitch?
 *
 * Twelve numbers from the mean mel spectrum of the segment:
 *   0      its level: decibels above -60 dBFS (RMS), so that full scale is 60; never below 0
 *   1..11  the shape of its spectrum: the cosine transform of the band levels in decibels, minus its mean over music
 *
 * Davis and Mermelstein, "Comparison of Parametric Representations for Monosyllabic Word Recognition", IEEE Trans. ASSP 28(4), 1980.
 * Deviations: one spectrum per segment instead of one per frame, so that a rest inside does not blur it; bands are counted from the highest down,
 * so that coefficient 1 grows with brightness (sound above 1.9 kHz against sound below), as Spotify described its second; each
 * segment has its own floor, so that its shape does not depend on its level.
 *
 * The transform is orthonormal: the sum of squared differences of all shape coefficients is at most that of the 81 band levels in decibels.
 * Spotify never published its basis, so these are other numbers for the same use: level first, then brightness, then finer shape.
 * Output: twelve values for every segment; all 0 where nothing sounds.
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
/** Chosen: a segment this far below the recording is silent; its energy is that of its neighbours, at the edge of the window. */
const SILENCE_BELOW_DB = 60;
/** Bands 60 dB or more below the strongest of the segment count as 60 dB below it: the leakage of the window is as strong. */
const FLOOR_RATIO = 1e-3;
const DECIBELS_PER_LOG = 20 / Math.LN10;

/**
 * Mean of shape coefficients 1..11 over music: 14 songs of the dev corpus and the 13 of the real one, each song and then each corpus counting
 * the same. Between songs coefficient 1 has a spread of 35, 2 and 3 of 20, the others of 10 and less.
 */
const SHAPE_MEANS = [-81, 0, -15, 4, -6, 0, -1, -3, 0, -1, -1];

/** `rms` is the level of the whole recording. */
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
 * Scales the powers so that the segments together have the level of the recording, which is known exactly; from magnitudes alone it is not, since
 * tones and noise fill a band differently. In silence the ratio is NaN, and all values become 0.
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

/** The power of a spectrum, on an arbitrary scale. Bands hold mean magnitudes, so a square is weighted by the width of its band. */
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

/** Writes the shape of a spectrum, on any scale, to `timbre` after the level at index `at`; leaves zeros for silence. */
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
function createCosineRows(size: number): BandRow[] {
  return SHAPE_MEANS.map((_, index) => ({
    firstBin: 0,
    weights: Float64Array.from(
      { length: size },
      (_, band) => Math.sqrt(2 / size) * Math.cos((Math.PI * (index + 1) * (size - band - 0.5)) / size),
    ),
  }));
}
