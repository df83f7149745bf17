import { describe, expect, it } from 'vitest';
import type { Analysed, FullResult } from './backend.ts';
import { compactGroup, compactResult } from './compact.ts';

const chord = (label: string, start_seconds: number, end_seconds: number) => ({
  label,
  start_seconds,
  end_seconds,
});

/** A song of which the service has heard nothing but what is given here. */
function analysed(heard: object): Analysed {
  const none = {
    ...{ bpm: null, bpm_confidence: null, time_signature: null, key_notation: null, key_confidence: null },
    ...{ camelot: null, loudness_lufs: null, true_peak_dbtp: null, energy: null, danceability: null },
    ...{ valence: null, genre_suggestions: [], mood_tags: [], rhythm: null, tonal: null, structure: null },
    ...{ quality: null, tags: null, content: null, file: null, unavailable: {}, duration_seconds: 60 },
  };
  const result = { ...none, ...heard } as unknown as FullResult;
  return { id: 'job_1', status: 'completed', name: null, progress: 1, result, error: null };
}

describe('a compact result', () => {
  it('names the chords that sound longest, the longest first, and no silence', () => {
    const chords = [
      chord('N', 0, 9),
      chord('C', 9, 12),
      chord('G', 12, 14),
      chord('C', 14, 15),
      chord('A', 15, 20),
    ];
    const { chords: named } = compactResult(analysed({ tonal: { alternatives: [], chords } }));
    expect(named).toEqual(['A', 'C', 'G']);
  });

  it('has five digits of a number, and nothing of what is not known', () => {
    const compact = compactResult(analysed({ bpm: 123.456789, loudness_lufs: -14.00004 }));
    expect(compact).toMatchObject({ bpm: 123.46, loudness_lufs: -14 });
    for (const name of ['key', 'chords', 'energy', 'unavailable']) expect(compact).not.toHaveProperty(name);
  });

  it('says how far it is while there is none', () => {
    const waiting = { ...analysed({}), status: 'queued' as const, progress: 0.25, result: null };
    expect(compactResult(waiting)).toEqual({
      id: 'job_1',
      name: null,
      status: 'queued',
      progress: 0.25,
      error: null,
    });
  });
});

it('a long list of a group is cut to forty and says how long it was, unless all is asked for', () => {
  const beats = Array.from({ length: 41 }, (_, beat) => beat);
  const result = analysed({ rhythm: { beats } }).result!;
  expect(compactGroup(result, 'rhythm', false)).toEqual({ beats: { count: 41, first: beats.slice(0, 40) } });
  expect(compactGroup(result, 'rhythm', true)).toEqual({ beats });
});
