import type { AnalysisResult } from '@earshot/engine';
import { expect, it } from 'vitest';
import { toEstimate } from './estimate.ts';

const span = { startSeconds: 1, endSeconds: 3 };

it("converts a result to the corpus's format, with sections by repetition and by function", () => {
  const result = {
    rhythm: {
      bpm: 120,
      beats: [{ timeSeconds: 1 }, { timeSeconds: 1.5 }],
      downbeats: [{ timeSeconds: 1 }],
      timeSignature: { beatsPerBar: 3 },
    },
    tonal: { key: 'A', scale: 'minor', chords: [{ ...span, label: 'E:maj' }] },
    structure: { sections: [{ ...span, label: 'chorus', group: 'B' }] },
  } as unknown as AnalysisResult;
  expect(toEstimate(result)).toEqual({
    tempo_bpm: 120,
    beats: [1, 1.5],
    downbeats: [1],
    time_signature: '3/4',
    key: 'A:min',
    chords: [{ start: 1, end: 3, label: 'E:maj' }],
    sections: [{ start: 1, end: 3, label: 'B' }],
    roles: [{ start: 1, end: 3, label: 'chorus' }],
  });
});

it('writes a major key', () => {
  const tonal = { key: 'C', scale: 'major', chords: [] };
  expect(toEstimate({ tonal } as unknown as AnalysisResult).key).toBe('C:maj');
});

it('has null or no items where the result has nothing', () => {
  const silence = { rhythm: null, tonal: null, structure: null } as unknown as AnalysisResult;
  expect(toEstimate(silence)).toEqual({
    ...{ tempo_bpm: null, time_signature: null, key: null },
    ...{ beats: [], downbeats: [], chords: [], sections: [], roles: [] },
  });
});

it('has null where a pulse has no meter, and music no key', () => {
  const rhythm = { bpm: 90, beats: [], downbeats: [], timeSignature: null };
  const tonal = { key: null, scale: null, chords: [] };
  const estimate = toEstimate({ rhythm, tonal } as unknown as AnalysisResult);
  expect(estimate).toMatchObject({ tempo_bpm: 90, time_signature: null, key: null });
});
