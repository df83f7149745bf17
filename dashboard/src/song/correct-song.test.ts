import { describe, expect, it } from 'vitest';
import type { Result } from '../result.ts';
import { applyEdit, changeTempo, splitHere, startBarHere } from './correct-song.ts';
import type { CorrectionBody } from './corrections.ts';
import type { Song } from './use-song.ts';

const result = {
  bpm: 120,
  corrections: null,
  rhythm: { beats: [{ time_seconds: 0.5 }, { time_seconds: 1 }, { time_seconds: 1.5 }] },
  structure: {
    sections: [
      { start_seconds: 0, end_seconds: 10, label: 'intro', group: 'A' },
      { start_seconds: 10, end_seconds: 30, label: 'verse', group: 'B' },
    ],
  },
} as unknown as Result;

/** The bodies that `act` saves, each with its message, on a song whose correction is `before`. */
function saved(act: (song: Song) => void, before: CorrectionBody = {}): [CorrectionBody | null, string][] {
  const corrections: [CorrectionBody | null, string][] = [];
  act({ correct: (next, message) => void corrections.push([next(before), message]) } as Song);
  return corrections;
}

describe('the tempo', () => {
  it.each([
    [2, 'double', 'Tempo doubled.'],
    [0.5, 'half', 'Tempo halved.'],
  ] as const)('times %d is %s', (factor, tempo, message) => {
    expect(saved((song) => changeTempo(song, result, factor))).toEqual([[{ tempo }, message]]);
  });

  it('is scaled from the detected one, not from the corrected one that is shown', () => {
    const corrected = { ...result, bpm: 240, corrections: { heard: { bpm: 120 } } } as unknown as Result;
    const [[body] = [null]] = saved((song) => changeTempo(song, corrected, 2), { tempo: 'double' });
    // Four times 120 BPM has no name.
    expect(body).toEqual({ tempo: 480 });
  });

  it('that is unknown cannot be scaled', () => {
    expect(saved((song) => changeTempo(song, { ...result, bpm: null }, 2))).toEqual([]);
  });
});

describe('a bar', () => {
  it.each([
    ['the beat under the playhead', 1.2, 1],
    ['the next beat, tapped 50 ms early', 0.95, 1],
    ['the beat before, tapped 60 ms before the next', 0.94, 0.5],
    ['the first beat, before any', 0.1, 0.5],
  ])('starts at %s', (_, seconds, beatSeconds) => {
    const [[body] = [null]] = saved((song) => startBarHere(song, result, seconds));
    expect(body?.first_downbeat_seconds).toBe(beatSeconds);
  });

  it('cannot start without beats', () => {
    expect(saved((song) => startBarHere(song, { ...result, rhythm: null }, 1))).toEqual([]);
  });
});

describe('a section', () => {
  it('is split under the playhead, and the rest of the correction is kept', () => {
    const [[body, message] = [null]] = saved((song) => splitHere(song, result, 20), { key: 'G major' });
    expect(body?.key).toBe('G major');
    expect(body?.sections?.map(({ start_seconds }) => start_seconds)).toEqual([0, 10, 20]);
    expect(message).toBe('Section split.');
  });

  it.each([0, 10, 30])(
    'is not split at %d s, where it begins or ends, and the caller learns so',
    (seconds) => {
      let split: boolean | null = null;
      expect(
        saved((song) => {
          split = splitHere(song, result, seconds);
        }),
      ).toEqual([]);
      expect(split).toBe(false);
    },
  );
});

describe('an edit on the time line', () => {
  it('moves a beat', () => {
    const edit = { kind: 'move beat', fromSeconds: 1, toSeconds: 1.1 } as const;
    expect(saved((song) => applyEdit(song, result, edit))).toEqual([
      [{ beats: { move: [{ from_seconds: 1, to_seconds: 1.1 }] } }, 'Beat moved.'],
    ]);
  });

  it('moves a boundary and keeps the rest of the correction', () => {
    const edit = { kind: 'move boundary', fromSeconds: 10, toSeconds: 12 } as const;
    const [[body, message] = [null]] = saved((song) => applyEdit(song, result, edit), { key: 'G major' });
    expect(body?.key).toBe('G major');
    expect(body?.sections?.map(({ start_seconds }) => start_seconds)).toEqual([0, 12]);
    expect(message).toBe('Boundary moved.');
  });

  it('is ignored where it would leave a section without length', () => {
    const edit = { kind: 'move boundary', fromSeconds: 10, toSeconds: 31 } as const;
    expect(saved((song) => applyEdit(song, result, edit))).toEqual([]);
  });
});
