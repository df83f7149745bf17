import { describe, expect, it } from 'vitest';
import type { AnalysisState } from './backend.ts';
import { compactGroup, compactResult } from './compact.ts';
import { resultWith } from './test-result.ts';

const chord = (label: string, start_seconds: number, end_seconds: number) => ({
  label,
  start_seconds,
  end_seconds,
});

/** A completed analysis whose result has only the given values. */
function analysisWith(values: object): AnalysisState {
  return {
    id: 'job_1',
    status: 'completed',
    name: null,
    progress: 1,
    result: resultWith(values),
    error: null,
  };
}

describe('a compact result', () => {
  it('names the chords of the longest total duration, without N (no chord)', () => {
    const chords = [
      chord('N', 0, 9),
      chord('C', 9, 12),
      chord('G', 12, 14),
      chord('C', 14, 15),
      chord('A', 15, 20),
    ];
    const { chords: named } = compactResult(analysisWith({ tonal: { alternatives: [], chords } }));
    expect(named).toEqual(['A', 'C', 'G']);
  });

  it('rounds numbers to five significant digits, and leaves out what is unknown', () => {
    const compact = compactResult(analysisWith({ bpm: 123.456789, loudness_lufs: -14.00004 }));
    expect(compact).toMatchObject({ bpm: 123.46, loudness_lufs: -14 });
    for (const name of ['key', 'chords', 'energy', 'unavailable']) expect(compact).not.toHaveProperty(name);
  });

  it('has each value under its own name', () => {
    const analysis = analysisWith({
      ...{
        bpm: 120,
        bpm_confidence: 0.91,
        time_signature: 3,
        key_notation: 'Am',
        key_confidence: 0.92,
        camelot: '8A',
      },
      ...{ loudness_lufs: -14, true_peak_dbtp: -1, energy: 0.1, danceability: 0.2, valence: 0.3 },
      ...{ genre_suggestions: ['house'], mood_tags: ['calm'], tags: { instruments: [{ label: 'piano' }] } },
      ...{ content: { voice_presence: 0.4 }, quality: { events: [{ kind: 'click' }] } },
      rhythm: { beats: [0, 0.5], alternatives: [{ bpm: 60 }] },
      tonal: { chords: [], alternatives: [{ key: 'C', scale: 'major' }] },
    });
    expect(compactResult(analysis)).toEqual({
      id: 'job_1',
      status: 'completed',
      duration_seconds: 60,
      ...{ bpm: 120, bpm_confidence: 0.91, bpm_alternatives: [60], beats: 2, beats_in_a_bar: 3 },
      ...{ key: 'Am', key_confidence: 0.92, camelot: '8A', key_alternatives: ['C major'], chords: [] },
      ...{ loudness_lufs: -14, true_peak_dbtp: -1, energy: 0.1, danceability: 0.2, valence: 0.3 },
      ...{ genres: ['house'], moods: ['calm'], instruments: ['piano'], voice_presence: 0.4 },
      quality_events: ['click'],
      groups: ['rhythm', 'tonal', 'quality', 'content', 'tags'],
    });
  });

  it('names at most eight chords', () => {
    const chords = Array.from({ length: 9 }, (_, index) =>
      chord(`C${index}`, 10 * index, 10 * index + 9 - index),
    );
    const { chords: named } = compactResult(analysisWith({ tonal: { alternatives: [], chords } }));
    expect(named).toEqual(['C0', 'C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7']);
  });

  it('is named after the file, or after the title in its tags', () => {
    const tagged = analysisWith({ file: { tags: { title: 'Blue' } } });
    expect(compactResult(tagged).name).toBe('Blue');
    expect(compactResult({ ...tagged, name: 'a.mp3' }).name).toBe('a.mp3');
    expect(compactResult(analysisWith({ file: { tags: { title: ['Blue'] } } }))).not.toHaveProperty('name');
  });

  it('lists the sections with their times, the reasons for missing values, and the groups', () => {
    const sections = [{ label: 'chorus', start_seconds: 12.34, end_seconds: 40 }];
    const reasons = { 'rhythm.bpm': 'no_pulse' };
    expect(compactResult(analysisWith({ structure: { sections }, unavailable: reasons }))).toMatchObject({
      sections: ['chorus 12.3-40.0 s'],
      unavailable: reasons,
      groups: ['structure'],
    });
  });

  it('of an unfinished analysis is its progress', () => {
    const waiting = { ...analysisWith({}), status: 'queued' as const, progress: 0.25, result: null };
    expect(compactResult(waiting)).toEqual({
      id: 'job_1',
      name: null,
      status: 'queued',
      progress: 0.25,
      error: null,
    });
  });
});

it('a list in a group is cut to forty items and gives its full length, unless full', () => {
  const beats = Array.from({ length: 41 }, (_, beat) => beat);
  const result = analysisWith({ rhythm: { beats } }).result!;
  expect(compactGroup(result, 'rhythm', false)).toEqual({ beats: { count: 41, first: beats.slice(0, 40) } });
  expect(compactGroup(result, 'rhythm', true)).toEqual({ beats });
});
