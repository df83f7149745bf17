import type { Tonal } from '../result.ts';

/** The tonal group of sound without pitch; the caller reports the reason. */
export function withoutPitch(): Tonal {
  return {
    key: null,
    scale: null,
    confidence: null,
    alternatives: [],
    keyChanges: [],
    tuningHz: null,
    tuningCents: null,
    chords: [],
    chordsSevenths: [],
    chroma: [],
  };
}
