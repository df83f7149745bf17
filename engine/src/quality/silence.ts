/** Silence: stretches of time in which no channel rises above -60 dBFS. Shorter rests belong to the music. */

import type { QualityEvent } from '../result.ts';
import { STRETCH_SAMPLES } from './stretches.ts';

const SILENCE_PEAK_MAX = 0.001;
const SILENCE_SECONDS_MIN = 0.5;

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
  let stretch = 0;
  let start: number | null = null;

  const close = (endSeconds: number): void => {
    if (start === null) return;
    const startSeconds = start * stretchSeconds;
    if (endSeconds - startSeconds >= SILENCE_SECONDS_MIN) {
      onEvent({
        kind: 'silence',
        startSeconds,
        endSeconds,
        channel: null,
        severity: Math.min(1, (endSeconds - startSeconds) / 10),
      });
    }
    start = null;
  };

  return {
    take(peaks) {
      for (let i = 0; i < peaks.length; i++) {
        if (peaks[i]! > SILENCE_PEAK_MAX) close(stretch * stretchSeconds);
        else start ??= stretch;
        stretch++;
      }
    },
    finish: close,
  };
}
