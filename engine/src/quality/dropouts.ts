/**
 * Where does the sound drop out? Short holes of digital silence in continuous sound, from a lost packet or a buffer that ran empty.
 *
 * Music that stops fades over at least some milliseconds; a dropout has sound right up to both of its edges. Thresholds are set by hand.
 */

import type { QualityEvent } from '../result.ts';
import { SILENCE_SECONDS_MIN } from './silence.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

/** Two steps of 16 bits: dither, but no sound. Peaks are amplitudes, with full scale at 1. */
const HOLE_PEAK_MAX = 2 / 32768;
/** -40 dBFS, which the sound right before and right after must reach; the end of a fade is softer. */
const EDGE_PEAK_MIN = 0.01;
/** A shorter hole is a click (clicks.ts). */
const HOLE_SECONDS_MIN = 0.002;
/** A longer hole is a pause: an event of silence if all channels have it, and none if only some do. */
const HOLE_SECONDS_MAX = SILENCE_SECONDS_MIN;
/** The stretch next to the hole may hold only a few samples of sound, so the one beyond it counts too. */
const EDGE_STRETCHES = 2;

type EndedHole = {
  startSeconds: number;
  endSeconds: number;
  peakBefore: number;
  peakAfter: number;
  /** How many stretches after it are still to be read. */
  stretchesLeft: number;
};

export type DropoutDetector = { take(peaks: Float32Array): void };

export function createDropoutDetector(
  sampleRateHz: number,
  channel: number,
  onEvent: (event: QualityEvent) => void,
): DropoutDetector {
  const stretchSeconds = STRETCH_SAMPLES / sampleRateHz;
  let stretchIndex = 0;
  let before: [lastPeak: number, lastButOnePeak: number] = [0, 0];
  let holeStartIndex: number | null = null;
  /** Before the hole that started last. */
  let peakBefore = 0;
  /** A hole whose following sound is still being read. */
  let ended: EndedHole | null = null;

  const endHole = (startIndex: number): void => {
    const startSeconds = startIndex * stretchSeconds;
    const endSeconds = stretchIndex * stretchSeconds;
    const seconds = endSeconds - startSeconds;
    holeStartIndex = null;
    if (peakBefore < EDGE_PEAK_MIN || seconds < HOLE_SECONDS_MIN || seconds > HOLE_SECONDS_MAX) return;
    ended = { startSeconds, endSeconds, peakBefore, peakAfter: 0, stretchesLeft: EDGE_STRETCHES };
  };

  const measureAfter = (hole: EndedHole, peak: number): void => {
    hole.peakAfter = Math.max(hole.peakAfter, peak);
    hole.stretchesLeft--;
    if (hole.stretchesLeft > 0) return;
    ended = null;
    if (hole.peakAfter < EDGE_PEAK_MIN) return;
    const { startSeconds, endSeconds } = hole;
    const severity = Math.min(1, hole.peakBefore, hole.peakAfter);
    onEvent({ kind: 'dropout', startSeconds, endSeconds, channel, severity });
  };

  return {
    take(peaks) {
      // Local variables: V8 allocates an object for every number that is assigned to a variable of the closure.
      let [last, lastButOne] = before;
      for (let i = 0; i < peaks.length; i++) {
        const peak = peaks[i]!;
        if (peak > HOLE_PEAK_MAX) {
          if (holeStartIndex !== null) endHole(holeStartIndex);
        } else if (holeStartIndex === null) {
          holeStartIndex = stretchIndex;
          peakBefore = Math.max(last, lastButOne);
        }
        if (ended !== null) measureAfter(ended, peak);
        lastButOne = last;
        last = peak;
        stretchIndex++;
      }
      before = [last, lastButOne];
    },
  };
}
