/**
 * Dropouts: short holes of digital silence torn into running sound, as of a lost packet or a buffer that ran dry.
 *
 * Music that stops fades at least over milliseconds; a hole has sound right up to both of its edges.
 */

import type { QualityEvent } from '../result.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

/** Two steps of 16 bits: dither, but no sound. */
const HOLE_PEAK_MAX = 2 / 32768;
/** -40 dBFS: what must be heard right before and right after. */
const EDGE_PEAK_MIN = 0.01;
const HOLE_SECONDS_MIN = 0.002;
/** Longer holes are stops of the music or of the recording; they are reported as silence. */
const HOLE_SECONDS_MAX = 0.5;
/** The stretch at the very edge may hold a few samples of sound only, so the one before is looked at too. */
const EDGE_STRETCHES = 2;

export type DropoutDetector = { take(peak: number): void };

export function createDropoutDetector(
  sampleRateHz: number,
  channel: number,
  onEvent: (event: QualityEvent) => void,
): DropoutDetector {
  const stretchSeconds = STRETCH_SAMPLES / sampleRateHz;
  const edge: number[] = [];
  let stretch = 0;
  let holeStart: number | null = null;
  let peakBefore = 0;
  let candidate: { startSeconds: number; endSeconds: number; left: number; peakAfter: number } | null = null;

  const closeHole = (): void => {
    if (holeStart === null) return;
    const seconds = (stretch - holeStart) * stretchSeconds;
    if (peakBefore >= EDGE_PEAK_MIN && seconds >= HOLE_SECONDS_MIN && seconds <= HOLE_SECONDS_MAX) {
      candidate = {
        startSeconds: holeStart * stretchSeconds,
        endSeconds: stretch * stretchSeconds,
        left: EDGE_STRETCHES,
        peakAfter: 0,
      };
    }
    holeStart = null;
  };

  return {
    take(peak) {
      if (peak <= HOLE_PEAK_MAX) {
        if (holeStart === null) {
          holeStart = stretch;
          peakBefore = Math.max(0, ...edge);
        }
      } else {
        closeHole();
      }
      if (candidate !== null) {
        candidate.peakAfter = Math.max(candidate.peakAfter, peak);
        if (--candidate.left === 0) {
          const { startSeconds, endSeconds, peakAfter } = candidate;
          if (peakAfter >= EDGE_PEAK_MIN) {
            onEvent({
              kind: 'dropout',
              startSeconds,
              endSeconds,
              channel,
              severity: Math.min(1, Math.min(peakBefore, peakAfter)),
            });
          }
          candidate = null;
        }
      }
      edge.push(peak);
      if (edge.length > EDGE_STRETCHES) edge.shift();
      stretch++;
    },
  };
}
