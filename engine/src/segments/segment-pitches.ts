/**
 * Which pitch classes sound in each segment, and how strongly?
 *
 * 1. average the half-semitone magnitudes of the frames inside the segment
 * 2. split each band between the two semitones around it, in the tuning of the recording
 * 3. sum over octaves under the bell of the chords' middle register (tonal/chroma.ts): around F#2 and below, semitones are closer than the 5.4 Hz that
 *    the window separates, and high up there are partials rather than notes
 * 4. scale the strongest class to 1
 *
 * Magnitudes are linear and unwhitened, unlike in the chroma for chords: a pure tone has one class near 1 and the others near 0, and noise has all of
 * them near 1, which is how Spotify described its `pitches`.
 *
 * Fujishima, "Realtime Chord Recognition of Musical Sound", ICMC 1999 (folding octaves).
 * Output: twelve values from C for every segment, 0..1; all 0 where nothing sounds.
 */

import { type BandRow, loadBandTable } from '../signal/band-weights.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { ANALYSIS_RATE_HZ, PITCH_FRAMES } from '../signal/front-end.ts';
import type { Kernels } from '../signal/kernels.ts';
import { MIDDLE_BELL, weighUnderBell } from '../tonal/chroma.ts';
import { PITCH_CLASS_COUNT } from '../tonal/key-name.ts';
import { BANDS_PER_SEMITONE, CENTS_PER_BAND } from '../tonal/semitones.ts';
import { createFrameAverager } from './frame-averager.ts';
import { findFramesInside, type SegmentSpan } from './segment-spans.ts';

const WINDOW_SECONDS = PITCH_FRAMES.fftSize / ANALYSIS_RATE_HZ;

export function measurePitchesOfSegments(
  kernels: Kernels,
  pitch: FrameMatrix,
  spans: readonly SegmentSpan[],
  tuningCents: number,
): Float64Array {
  const { exports } = kernels;
  const spectrum = createFrameAverager(kernels, pitch);
  const fold = loadBandTable(kernels, createFold(pitch.binCount, tuningCents));
  const classes = kernels.allocateFloats(PITCH_CLASS_COUNT);
  const pitches = new Float64Array(PITCH_CLASS_COUNT * spans.length);
  spans.forEach((span, segment) => {
    const { first, end } = findFramesInside(span, pitch, WINDOW_SECONDS);
    spectrum.average(first, end);
    exports.sumBands(spectrum.mean.pointer, fold.bands, fold.count, fold.weights, classes.pointer);
    const largest = exports.findPeak(classes.pointer, PITCH_CLASS_COUNT);
    if (largest === 0) return;
    const strengths = classes.view;
    for (let i = 0; i < PITCH_CLASS_COUNT; i++)
      pitches[segment * PITCH_CLASS_COUNT + i] = strengths[i]! / largest;
  });
  return pitches;
}

/** The weight of every band in each pitch class. */
function createFold(bandCount: number, tuningCents: number): BandRow[] {
  const rows = Array.from({ length: PITCH_CLASS_COUNT }, () => ({
    firstBin: 0,
    weights: new Float64Array(bandCount),
  }));
  for (let band = 0; band < bandCount; band++) {
    const semitones = (band - tuningCents / CENTS_PER_BAND) / BANDS_PER_SEMITONE;
    const lower = Math.floor(semitones);
    const weight = weighUnderBell(MIDDLE_BELL, semitones);
    const weightsOf = (semitone: number) => rows[(semitone + PITCH_CLASS_COUNT) % PITCH_CLASS_COUNT]!.weights;
    weightsOf(lower)[band] = weight * (1 - (semitones - lower));
    weightsOf(lower + 1)[band] = weight * (semitones - lower);
  }
  return rows;
}
