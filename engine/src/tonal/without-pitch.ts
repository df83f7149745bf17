import type { Tonal } from '../result.ts';

/** What is told of pitch where nothing has one; the caller says why. */
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
