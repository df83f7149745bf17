/**
 * How far is the music tuned from A = 440 Hz?
 *
 * Every spectral peak of every frame is placed between the half-semitone bands; its place within its semitone is an angle, and the
 * magnitude-weighted mean of all angles is the tuning. The length of that mean vector tells how well the peaks agree: near 1 for tempered
 * instruments, small for drums and noise.
 *
 * Peak-based circular tuning: Dressler and Streich, "Tuning Frequency Estimation Using Circular Statistics", ISMIR 2007.
 * Deviation: peaks are placed between bands rather than FFT bins.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';

/** From C4 up a half semitone is wider than the main lobe of the 8192-point window. */
const FIRST_BAND = 48;
/** Peaks below this share of the frame's largest magnitude are noise or leakage. */
const PEAK_SHARE_MIN = 0.1;
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
  let cosine = 0;
  let sine = 0;
  let weight = 0;
  for (let frame = 0; frame < pitch.frameCount; frame++) {
    const start = frame * pitch.binCount;
    const threshold = PEAK_SHARE_MIN * largestOfFrame(pitch, start);
    if (threshold <= 0) continue;
    for (let band = FIRST_BAND; band < pitch.binCount - 1; band++) {
      const here = pitch.data[start + band]!;
      if (here <= threshold) continue;
      const below = pitch.data[start + band - 1]!;
      const above = pitch.data[start + band + 1]!;
      if (here <= below || here < above) continue;
      const angle = Math.PI * (band + placePeak(below, here, above));
      cosine += here * Math.cos(angle);
      sine += here * Math.sin(angle);
      weight += here;
    }
  }
  if (weight === 0) return null;
  const cents = (Math.atan2(sine, cosine) / (2 * Math.PI)) * CENTS_PER_SEMITONE;
  return {
    cents,
    referenceHz: REFERENCE_HZ * 2 ** (cents / (12 * CENTS_PER_SEMITONE)),
    concentration: Math.hypot(cosine, sine) / weight,
  };
}

function largestOfFrame(pitch: FrameMatrix, start: number): number {
  let largest = 0;
  for (let band = 0; band < pitch.binCount; band++) {
    const value = pitch.data[start + band]!;
    if (value > largest) largest = value;
  }
  return largest;
}

/**
 * Offset of a peak from its middle band, in bands: the centre of gravity of the three, counted from the lower neighbour, which is what the
 * peak's surroundings contribute. The band filters are triangles that add up to one, so a lone sine comes out within 1.5 cents.
 */
function placePeak(below: number, here: number, above: number): number {
  const floor = Math.min(below, above);
  return (above - below) / (here + above + below - 3 * floor);
}
