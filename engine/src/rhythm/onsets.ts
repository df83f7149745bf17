/**
 * The moments at which something begins: peaks of the onset envelope.
 *
 * A frame is an onset if it is the largest within 60 ms and stands out from the mean of the last and next tenths of a second by a fixed amount.
 *
 * Böck, Krebs & Schedl, "Evaluating the online capabilities of onset detection methods", ISMIR 2012 (the peak picker).
 * Times between frames come from a parabola through the peak.
 */

import { interpolatePeak } from './peak.ts';

export type Onset = { timeSeconds: number; strength: number };

const PEAK_RADIUS_SECONDS = 0.06;
const MEAN_RADIUS_SECONDS = 0.2;
/** On the scale of the envelope: a rise of 10 % in every band, or of 50 % in a fifth of them. */
const THRESHOLD = 0.05;
/** An envelope this high gets strength 1: a full drum hit. */
const STRONGEST = 1;

export function pickOnsets(envelope: Float32Array, frameRateHz: number): Onset[] {
  const peakRadius = Math.round(PEAK_RADIUS_SECONDS * frameRateHz);
  const meanRadius = Math.round(MEAN_RADIUS_SECONDS * frameRateHz);
  const onsets: Onset[] = [];
  let sum = 0;
  for (let frame = 0; frame < Math.min(meanRadius, envelope.length); frame++) sum += envelope[frame]!;
  for (let frame = 0; frame < envelope.length; frame++) {
    const entering = frame + meanRadius;
    const leaving = frame - meanRadius - 1;
    if (entering < envelope.length) sum += envelope[entering]!;
    if (leaving >= 0) sum -= envelope[leaving]!;
    const count = Math.min(entering, envelope.length - 1) - Math.max(leaving, -1);
    const value = envelope[frame]!;
    if (value < sum / count + THRESHOLD || !isLargest(envelope, frame, peakRadius)) continue;
    const timeSeconds = Math.max(0, interpolatePeak(envelope, frame)) / frameRateHz;
    onsets.push({ timeSeconds, strength: Math.min(1, value / STRONGEST) });
  }
  return onsets;
}

/** The first of equal values counts as the largest. */
function isLargest(envelope: Float32Array, frame: number, radius: number): boolean {
  const value = envelope[frame]!;
  for (let other = Math.max(0, frame - radius); other < frame; other++)
    if (envelope[other]! >= value) return false;
  const end = Math.min(envelope.length, frame + radius + 1);
  for (let other = frame + 1; other < end; other++) if (envelope[other]! > value) return false;
  return true;
}
