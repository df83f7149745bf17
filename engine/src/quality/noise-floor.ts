/** How loud is the noise under the music? The level that 98 % of the frames exceed: an upper bound, as only a pause reveals the noise. */

import { createLevelHistogram } from './level-histogram.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

/** About a second in a minute: a pause of that length reveals the noise, a single gap between two notes does not. */
const QUIET_SHARE = 0.02;
/** 23 ms of CD audio. */
const FRAME_STRETCHES = 32;
export const NOISE_FRAME_SAMPLES = FRAME_STRETCHES * STRETCH_SAMPLES;

export type NoiseFloorMeter = {
  /** The sums of the squares of all channels in `stretchCount` stretches. */
  take(squareSums: Float64Array, stretchCount: number): void;
  /** In dBFS; null without a frame that holds any sound. */
  finish(): number | null;
};

export function createNoiseFloorMeter(channelCount: number): NoiseFloorMeter {
  const levels = createLevelHistogram();
  return {
    take(squareSums, stretchCount) {
      for (let first = 0; first + FRAME_STRETCHES <= stretchCount; first += FRAME_STRETCHES) {
        let squares = 0;
        for (let k = 0; k < FRAME_STRETCHES; k++) squares += squareSums[first + k]!;
        // Digital silence has no noise to measure.
        if (squares > 0) levels.add(10 * Math.log10(squares / (NOISE_FRAME_SAMPLES * channelCount)));
      }
    },
    finish: () => levels.read().percentileDb(QUIET_SHARE),
  };
}
