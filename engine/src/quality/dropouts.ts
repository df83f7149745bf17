/**
 * Dropouts: short holes of digital silence torn into running sound, as of a lost packet or a buffer that ran dry.
 *
 * Music that stops fades at least over milliseconds; a hole has sound right up to both of its edges.
 */

import type { QualityEvent } from '../result.ts';
import { SILENCE_SECONDS_MIN } from './silence.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

/** Two steps of 16 bits: dither, but no sound. */
const HOLE_PEAK_MAX = 2 / 32768;
/** -40 dBFS: what must be heard right before and right after. */
const EDGE_PEAK_MIN = 0.01;
const HOLE_SECONDS_MIN = 0.002;
/** A longer one is a stop of the music or of the recording: silence if all channels have it, nothing if only some do. */
const HOLE_SECONDS_MAX = SILENCE_SECONDS_MIN;
/** The stretch at the very edge may hold a few samples of sound only, so the one beyond is looked at too. */
const EDGE_STRETCHES = 2;

export type DropoutDetector = { take(peaks: Float32Array): void };

export function createDropoutDetector(
  sampleRateHz: number,
  channel: number,
  onEvent: (event: QualityEvent) => void,
): DropoutDetector {
  const stretchSeconds = STRETCH_SAMPLES / sampleRateHz;
  let stretch = 0;
  let before: [last: number, lastButOne: number] = [0, 0];
  let holeStart = -1;
  let peakBefore = 0;
  /** A hole that has ended and waits for the sound after it. */
  let hole: { startSeconds: number; endSeconds: number; edgeLeft: number; peakAfter: number } | null = null;

  const endHole = (): void => {
    const startSeconds = holeStart * stretchSeconds;
    const endSeconds = stretch * stretchSeconds;
    const seconds = endSeconds - startSeconds;
    holeStart = -1;
    if (peakBefore < EDGE_PEAK_MIN || seconds < HOLE_SECONDS_MIN || seconds > HOLE_SECONDS_MAX) return;
    hole = { startSeconds, endSeconds, edgeLeft: EDGE_STRETCHES, peakAfter: 0 };
  };

  const listenAfterHole = (peak: number): void => {
    if (hole === null) return;
    hole.peakAfter = Math.max(hole.peakAfter, peak);
    hole.edgeLeft--;
    if (hole.edgeLeft > 0) return;
    const { startSeconds, endSeconds, peakAfter } = hole;
    hole = null;
    if (peakAfter < EDGE_PEAK_MIN) return;
    const severity = Math.min(1, peakBefore, peakAfter);
    onEvent({ kind: 'dropout', startSeconds, endSeconds, channel, severity });
  };

  return {
    take(peaks) {
      // Held outside, every peak would become an object of V8's.
      let [last, lastButOne] = before;
      for (let i = 0; i < peaks.length; i++) {
        const peak = peaks[i]!;
        if (peak > HOLE_PEAK_MAX) {
          if (holeStart >= 0) endHole();
        } else if (holeStart < 0) {
          holeStart = stretch;
          peakBefore = Math.max(last, lastButOne);
        }
        if (hole !== null) listenAfterHole(peak);
        lastButOne = last;
        last = peak;
        stretch++;
      }
      before = [last, lastButOne];
    },
  };
}
