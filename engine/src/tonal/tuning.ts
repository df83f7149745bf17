/**
 * How far is the tuning of the music from A4 = 440 Hz?
 *
 * Every spectral peak of every frame is located by interpolating between the half-semitone bands. Its position within its semitone is an angle, and the
 * magnitude-weighted circular mean of all angles is the tuning. The length of the mean vector tells how well the peaks agree: near 1 for instruments in
 * equal temperament, small for drums and noise.
 *
 * Peak-based circular tuning: Dressler and Streich, "Tuning Frequency Estimation Using Circular Statistics", ISMIR 2007.
 * Deviation: peaks are interpolated between bands instead of FFT bins.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createFrameWindow, windowRows } from '../signal/frame-window.ts';
import { createKernels } from '../signal/kernels.ts';

/** C4: from here up, a half semitone (7.7 Hz) is wider than the main lobe of the 8192-point Hann window at half its height (2 bins, 5.4 Hz). */
export const FIRST_BAND = 48;
/** Peaks below this share of the frame's largest magnitude, 20 dB down, are taken for noise or leakage. Set by hand. */
export const PEAK_SHARE_MIN = 0.1;
const CENTS_PER_SEMITONE = 100;
const REFERENCE_HZ = 440;

export type Tuning = {
  /** Offset from A4 = 440 Hz, -50..50; positive is sharp. */
  cents: number;
  /** The frequency of A4. */
  referenceHz: number;
  /** 0..1: how well the peaks agree on the tuning. */
  concentration: number;
};

/** Null if no frame has a peak. */
export function estimateTuning(pitchSpectrum: FrameMatrix): Tuning | null {
  const { binCount, frameCount } = pitchSpectrum;
  const kernels = createKernels();
  const { findBandPeaks } = kernels.exports;
  const peaks = kernels.allocateDoubles(windowRows(0) * binCount);
  let peakCount = 0;
  const window = createFrameWindow(kernels, pitchSpectrum, (rows, rowCount) => {
    peakCount = findBandPeaks(rows, rowCount, binCount, FIRST_BAND, PEAK_SHARE_MIN, peaks.pointer);
  });
  let cosine = 0;
  let sine = 0;
  let weight = 0;
  window.visit(0, frameCount, () => {
    const { view } = peaks;
    for (let i = 0; i < peakCount; i++) {
      // Two bands, a semitone, are a full circle.
      const angleRadians = Math.PI * view[2 * i]!;
      const magnitude = view[2 * i + 1]!;
      cosine += magnitude * Math.cos(angleRadians);
      sine += magnitude * Math.sin(angleRadians);
      weight += magnitude;
    }
  });
  if (weight === 0) return null;
  const cents = (Math.atan2(sine, cosine) / (2 * Math.PI)) * CENTS_PER_SEMITONE;
  return {
    cents,
    referenceHz: REFERENCE_HZ * 2 ** (cents / (12 * CENTS_PER_SEMITONE)),
    concentration: Math.hypot(cosine, sine) / weight,
  };
}
