/** Where is it silent? Half a second or more in which no channel exceeds -60 dBFS; shorter rests belong to the music. */

import type { QualityEvent } from '../result.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

/** 30 dB above the last bit of 16, so that dither and the hiss of a good converter count as silence. */
const SILENCE_PEAK_MAX_DBFS = -60;
/** In single precision like the peaks, so that a peak of exactly this level counts as silence. */
const SILENCE_PEAK_MAX = Math.fround(10 ** (SILENCE_PEAK_MAX_DBFS / 20));
export const SILENCE_SECONDS_MIN = 0.5;
/** Less than a thousandth of a sample at 768 kHz, and more than the rounding error of a time of many hours. */
const ROUNDING_SECONDS = 1e-9;
/** From this length on the severity is 1. */
const SEVEREST_SECONDS = 10;

export type SilenceDetector = {
  /** The largest peak of all channels in each stretch. */
  take(peaks: Float32Array): void;
  finish(durationSeconds: number): void;
};

export function createSilenceDetector(
  sampleRateHz: number,
  onEvent: (event: QualityEvent) => void,
): SilenceDetector {
  const stretchSeconds = STRETCH_SAMPLES / sampleRateHz;
  let stretchIndex = 0;
  let startIndex: number | null = null;

  const close = (endSeconds: number): void => {
    if (startIndex === null) return;
    const startSeconds = startIndex * stretchSeconds;
    // The difference of two times may fall short of half a second by its last bit.
    if (endSeconds - startSeconds >= SILENCE_SECONDS_MIN - ROUNDING_SECONDS) {
      onEvent({
        kind: 'silence',
        startSeconds,
        endSeconds,
        channel: null,
        severity: Math.min(1, (endSeconds - startSeconds) / SEVEREST_SECONDS),
      });
    }
    startIndex = null;
  };

  return {
    take(peaks) {
      for (let i = 0; i < peaks.length; i++) {
        if (peaks[i]! > SILENCE_PEAK_MAX) close(stretchIndex * stretchSeconds);
        else startIndex ??= stretchIndex;
        stretchIndex++;
      }
    },
    finish: close,
  };
}
