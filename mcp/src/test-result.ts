import type { FullResult } from './backend.ts';

/** A result of a minute of audio that has only the given values. */
export function resultWith(values: object): FullResult {
  const none = {
    ...{ bpm: null, bpm_confidence: null, time_signature: null, key_notation: null, key_confidence: null },
    ...{ camelot: null, loudness_lufs: null, true_peak_dbtp: null, energy: null, danceability: null },
    ...{ valence: null, acousticness: null, genre_suggestions: [], mood_tags: [], rhythm: null, tonal: null },
    ...{ structure: null, loudness: null, quality: null, timbre: null, content: null, waveform: null },
    ...{ fingerprint: null, tags: null, file: null, unavailable: {}, duration_seconds: 60 },
  };
  return { ...none, ...values } as unknown as FullResult;
}
