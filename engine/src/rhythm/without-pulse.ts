import type { Rhythm } from '../result.ts';

/** Onsets are heard in any sound; everything that is built on a pulse is absent. */
export function withoutPulse({ onsets, onsetRateHz }: Pick<Rhythm, 'onsets' | 'onsetRateHz'>): Rhythm {
  return {
    bpm: null,
    confidence: null,
    alternatives: [],
    stability: null,
    tempoCurve: [],
    beats: [],
    downbeats: [],
    timeSignature: null,
    onsets,
    onsetRateHz,
    swing: null,
  };
}
