/**
 * When do sounds begin?
 *
 * At the peaks of the onset envelope: a frame is an onset if its value is the largest within 60 ms on either side and exceeds the mean over
 * 0.2 s on either side by a fixed amount. Times between frames come from a parabola through the peak.
 *
 * Böck, Krebs & Schedl, "Evaluating the online capabilities of onset detection methods", ISMIR 2012 (the peak picker). Deviation: the
 * widths and the threshold are our own, set by hand, and the widths symmetric, because we do not run in real time.
 */

import { interpolatePeak } from './peak.ts';

export type Onset = {
  timeSeconds: number;
  /** The envelope, clipped to 1, which a full drum hit exceeds. */
  strength: number;
};

const PEAK_RADIUS_SECONDS = 0.06;
const MEAN_RADIUS_SECONDS = 0.2;
/** On the scale of the envelope: where bands are at a tenth of the RMS, a rise of 10 % in all of them, or of 50 % in a fifth. */
const THRESHOLD = 0.05;

export function pickOnsets(envelope: Float32Array, frameRateHz: number): Onset[] {
  const peakRadiusFrames = Math.round(PEAK_RADIUS_SECONDS * frameRateHz);
  const meanRadiusFrames = Math.round(MEAN_RADIUS_SECONDS * frameRateHz);
  const onsets: Onset[] = [];
  let sum = 0;
  for (let frame = 0; frame < Math.min(meanRadiusFrames, envelope.length); frame++) sum += envelope[frame]!;
  for (let frame = 0; frame < envelope.length; frame++) {
    const entering = frame + meanRadiusFrames;
    const leaving = frame - meanRadiusFrames - 1;
    if (entering < envelope.length) sum += envelope[entering]!;
    if (leaving >= 0) sum -= envelope[leaving]!;
    const count = Math.min(entering, envelope.length - 1) - Math.max(leaving, -1);
    const value = envelope[frame]!;
    if (value < sum / count + THRESHOLD || !isLargest(envelope, frame, peakRadiusFrames)) continue;
    const timeSeconds = interpolatePeak(envelope, frame) / frameRateHz;
    onsets.push({ timeSeconds, strength: Math.min(1, value) });
  }
  return onsets;
}

/** The first of equal values counts as the largest. */
function isLargest(envelope: Float32Array, frame: number, radiusFrames: number): boolean {
  const value = envelope[frame]!;
  for (let other = Math.max(0, frame - radiusFrames); other < frame; other++)
    if (envelope[other]! >= value) return false;
  const endFrame = Math.min(envelope.length, frame + radiusFrames + 1);
  for (let other = frame + 1; other < endFrame; other++) if (envelope[other]! > value) return false;
  return true;
}
