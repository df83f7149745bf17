import type { Rhythm } from '../result.ts';

/** A rhythm without a pulse: only onsets, which any sound may have. */
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
