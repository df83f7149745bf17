/**
 * How far is the music tuned from A = 440 Hz?
 *
 * Every spectral peak of every frame is placed between the half-semitone bands. Its place within its semitone is an angle, and the
 * magnitude-weighted circular mean of all angles is the tuning. The length of the mean vector is how well the peaks agree: near 1 for tempered
 * instruments, small for drums and noise.
 *
 * Peak-based circular tuning: Dressler and Streich, "Tuning Frequency Estimation Using Circular Statistics", ISMIR 2007.
 * Deviation: peaks are placed between bands rather than FFT bins.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createFrameWindow, windowRows } from '../signal/frame-window.ts';
import { createKernels } from '../signal/kernels.ts';

/** From C4 up a half semitone is wider than the main lobe of the 8192-point window. */
export const FIRST_BAND = 48;
/** Peaks below this share of the frame's largest magnitude are noise or leakage. Chosen: 20 dB down. */
export const PEAK_SHARE_MIN = 0.1;
const CENTS_PER_SEMITONE = 100;
const REFERENCE_HZ = 440;

export type Tuning = {
  /** -50..50; what to add to equal temperament at 440 Hz. */
  cents: number;
  /** Of the A above middle C. */
  referenceHz: number;
  /** 0..1: agreement of the peaks about the tuning. */
  concentration: number;
};

/** Null when no frame has a peak. */
export function estimateTuning(pitch: FrameMatrix): Tuning | null {
  const kernels = createKernels();
  const peaks = kernels.allocateDoubles(windowRows(0) * pitch.binCount);
  let peakCount = 0;
  const window = createFrameWindow(kernels, pitch, (rows, rowCount) => {
    const { exports } = kernels;
    peakCount = exports.findBandPeaks(
      rows,
      rowCount,
      pitch.binCount,
      FIRST_BAND,
      PEAK_SHARE_MIN,
      peaks.pointer,
    );
  });
  let cosine = 0;
  let sine = 0;
  let weight = 0;
  window.visit(0, pitch.frameCount, () => {
    const { view } = peaks;
    for (let i = 0; i < peakCount; i++) {
      const angle = Math.PI * view[2 * i]!;
      const height = view[2 * i + 1]!;
      cosine += height * Math.cos(angle);
      sine += height * Math.sin(angle);
      weight += height;
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
