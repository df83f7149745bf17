import { describe, expect, it } from 'vitest';
import type { Result } from '../result.ts';
import {
  bodyOf,
  type Correction,
  type CorrectionBody,
  isEmpty,
  isSameCorrection,
  moveBeat,
  moveBoundary,
  renameSection,
  retypeChord,
  revert,
  scaleTempo,
  sectionsOf,
  splitSection,
  startBarAt,
} from './corrections.ts';

describe('scaling the tempo', () => {
  it.each([
    [null, 2, 'double'],
    ['double', 0.5, null],
    ['half', 2, null],
    ['half', 0.5, 17.57],
    ['double', 2, 281.12],
    [140.56, 0.5, null],
    // Twice 105.42 is three times 70.28; half of 46.853 is a third of it, but for the rounding to 0.001 BPM.
    [105.42, 2, 'triple'],
    [46.853, 0.5, 'third'],
    ['triple', 0.5, 105.42],
  ] as const)('%s times %d is %s', (tempo, factor, next) => {
    // Detected: 70.28 BPM. A quarter of it is 17.57, four times it is 281.12.
    expect(scaleTempo({ tempo }, factor, 70.28).tempo).toBe(next);
  });

  it('multiplies the corrected number where no tempo was detected', () => {
    expect(scaleTempo({ tempo: 90 }, 2, null).tempo).toBe(180);
  });

  it('keeps the rest of the correction', () => {
    expect(scaleTempo({ key: 'G major' }, 2, 70)).toEqual({ key: 'G major', tempo: 'double' });
    expect(isEmpty(scaleTempo({ tempo: 'double' }, 0.5, 70))).toBe(true);
  });
});

describe('the first beat of a bar', () => {
  it('is set by its time, rounded to a millisecond, in place of a shift', () => {
    expect(startBarAt({ shift_beats: 2 }, 1.23456)).toEqual({
      first_downbeat_seconds: 1.235,
      shift_beats: null,
    });
  });
});

describe('a moved beat', () => {
  it('keeps its original time when it is moved again', () => {
    const once = moveBeat({}, 10, 10.1);
    const twice = moveBeat(once, 10.1, 10.05);
    expect(twice.beats?.move).toEqual([{ from_seconds: 10, to_seconds: 10.05 }]);
  });

  it('is another one than its neighbour, and what else was corrected of the beats stays', () => {
    const moved = moveBeat(
      { beats: { add: [3], move: [{ from_seconds: 10, to_seconds: 10.1 }] } },
      10.5,
      10.6,
    );
    expect(moved.beats).toEqual({
      add: [3],
      move: [
        { from_seconds: 10, to_seconds: 10.1 },
        { from_seconds: 10.5, to_seconds: 10.6 },
      ],
    });
  });

  it('cannot begin before the song', () => {
    expect(moveBeat({}, 0.1, -0.2).beats?.move).toEqual([{ from_seconds: 0.1, to_seconds: 0 }]);
  });
});

const form = [
  { start_seconds: 0, end_seconds: 10, label: 'intro' as const, group: 'A' },
  { start_seconds: 10, end_seconds: 30, label: 'verse' as const, group: 'B' },
];

describe('the sections', () => {
  it('on both sides of a boundary move with it', () => {
    expect(moveBoundary(form, 10, 12)).toEqual([
      { ...form[0], end_seconds: 12 },
      { ...form[1], start_seconds: 12 },
    ]);
  });

  it.each([0, 30, 31])('keep a length: a boundary cannot move to %d s', (toSeconds) => {
    expect(moveBoundary(form, 10, toSeconds)).toBeNull();
  });

  it.each([0, 11])('have no boundary to move at %d s', (fromSeconds) => {
    expect(moveBoundary(form, fromSeconds, 12)).toBeNull();
  });

  it('split into two of the same name, but not on a boundary', () => {
    expect(splitSection(form, 20)).toEqual([
      form[0],
      { ...form[1], end_seconds: 20 },
      { ...form[1], start_seconds: 20 },
    ]);
    expect(splitSection(form, 10)).toBeNull();
  });

  it('are renamed one at a time', () => {
    expect(renameSection(form, 1, 'chorus')).toEqual([form[0], { ...form[1], label: 'chorus' }]);
  });

  it('of a result are those of a correction, rounded to a millisecond', () => {
    const shown = { start_seconds: 0.00049, end_seconds: 9.9996, label: 'intro', group: 'A', confidence: 1 };
    expect(sectionsOf({ structure: { sections: [shown] } } as unknown as Result)).toEqual([form[0]]);
    expect(sectionsOf({ structure: null } as Result)).toEqual([]);
  });
});

describe('a corrected chord', () => {
  it('replaces the correction of the same span and keeps its neighbours, in order of time', () => {
    const first = retypeChord({}, { start_seconds: 4, end_seconds: 6 }, 'C:maj');
    const second = retypeChord(first, { start_seconds: 4, end_seconds: 6 }, 'A:min');
    const third = retypeChord(second, { start_seconds: 2, end_seconds: 4 }, 'G:maj');
    expect(third.chords).toEqual([
      { start_seconds: 2, end_seconds: 4, label: 'G:maj' },
      { start_seconds: 4, end_seconds: 6, label: 'A:min' },
    ]);
  });

  it('replaces every correction that it overlaps', () => {
    const body = retypeChord({}, { start_seconds: 4, end_seconds: 6 }, 'C:maj');
    expect(retypeChord(body, { start_seconds: 5, end_seconds: 7 }, 'G:maj').chords).toEqual([
      { start_seconds: 5, end_seconds: 7, label: 'G:maj' },
    ]);
  });
});

describe('two bodies', () => {
  it('make the same correction whatever the order of their fields, null meaning absent', () => {
    const stored = { chords: [{ end_seconds: 2, label: 'A:min7', start_seconds: 0 }], key: null };
    expect(
      isSameCorrection({ chords: [{ start_seconds: 0, end_seconds: 2, label: 'A:min7' }] }, stored),
    ).toBe(true);
  });

  it.each([[{ tempo: 'half' }], [{}], [{ tempo: 'double', key: 'G major' }]] as const)(
    'differ: %j is not a doubled tempo',
    (other) => {
      expect(isSameCorrection({ tempo: 'double' }, other)).toBe(false);
    },
  );

  it('differ where the order of chords does', () => {
    const [one, two] = [
      { start_seconds: 0, end_seconds: 2, label: 'C:maj' },
      { start_seconds: 2, end_seconds: 4, label: 'G:maj' },
    ];
    expect(isSameCorrection({ chords: [one, two] }, { chords: [two, one] })).toBe(false);
  });
});

it('the body of a stored correction is without what the service adds, and keeps the note', () => {
  const stored = {
    tempo: 'double',
    key: 'G major',
    note: 'live',
    kinds: ['tempo', 'key'],
    updated_at: 'now',
  };
  expect(bodyOf(stored as unknown as Correction)).toEqual({ tempo: 'double', key: 'G major', note: 'live' });
});

it('reverting one kind keeps the others and the note', () => {
  const body: CorrectionBody = {
    tempo: 'double',
    first_downbeat_seconds: 1,
    beats_per_bar: 3,
    key: 'G',
    note: 'live',
  };
  expect(revert(body, 'bars')).toEqual({
    tempo: 'double',
    first_downbeat_seconds: null,
    shift_beats: null,
    beats_per_bar: null,
    key: 'G',
    note: 'live',
  });
  expect(isEmpty(revert({ tempo: 'half' }, 'tempo'))).toBe(true);
});
