import type { Tonal } from '../result.ts';

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
