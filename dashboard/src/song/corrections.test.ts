import { describe, expect, it } from 'vitest';
import {
  type CorrectionBody,
  isEmpty,
  moveBeat,
  moveBoundary,
  replaceKnown,
  retypeChord,
  revert,
  scaleTempo,
  splitSection,
  startBarAt,
} from './corrections.ts';

describe('one press on the tempo', () => {
  it.each([
    [null, 2, 'double'],
    ['double', 0.5, null],
    ['half', 2, null],
    ['half', 0.5, 17.57],
    ['double', 2, 281.12],
    [140.56, 0.5, null],
  ] as const)('%s times %d is %s', (tempo, factor, next) => {
    // Heard 70.28; a quarter of it is 17.57.
    expect(scaleTempo({ tempo }, factor, 70.28).tempo).toBe(next);
  });

  it('is a number where no tempo was heard that could be doubled', () => {
    expect(scaleTempo({ tempo: 90 }, 2, null).tempo).toBe(180);
  });

  it('leaves the rest of the correction as it is', () => {
    expect(scaleTempo({ key: 'G major' }, 2, 70)).toEqual({ key: 'G major', tempo: 'double' });
    expect(isEmpty(scaleTempo({ tempo: 'double' }, 0.5, 70))).toBe(true);
  });
});

describe('the first of the bar', () => {
  it('is named by its time, which takes the place of a shift', () => {
    expect(startBarAt({ shift_beats: 2 }, 1.23456)).toEqual({
      first_downbeat_seconds: 1.235,
      shift_beats: null,
    });
  });
});

describe('a beat that is dragged', () => {
  it('is named by where it was heard, also the second time', () => {
    const once = moveBeat({}, 10, 10.1);
    const twice = moveBeat(once, 10.1, 10.05);
    expect(twice.beats?.move).toEqual([{ from_seconds: 10, to_seconds: 10.05 }]);
  });
});

const form = [
  { start_seconds: 0, end_seconds: 10, label: 'intro' as const, group: 'A' },
  { start_seconds: 10, end_seconds: 30, label: 'verse' as const, group: 'B' },
];

describe('the form', () => {
  it('moves a boundary for both its sections', () => {
    expect(moveBoundary(form, 10, 12)).toEqual([
      { ...form[0], end_seconds: 12 },
      { ...form[1], start_seconds: 12 },
    ]);
  });

  it.each([0, 30, 31])('does not let a section vanish: %d', (to) => {
    expect(moveBoundary(form, 10, to)).toBeNull();
  });

  it('splits where the playhead stands', () => {
    expect(splitSection(form, 20)?.map(({ start_seconds }) => start_seconds)).toEqual([0, 10, 20]);
    expect(splitSection(form, 10)).toBeNull();
  });
});

describe('a chord that is typed again', () => {
  it('takes the place of what was said of its span', () => {
    const first = retypeChord({}, { start_seconds: 4, end_seconds: 6 }, 'C:maj');
    const second = retypeChord(first, { start_seconds: 4, end_seconds: 6 }, 'A:min');
    const third = retypeChord(second, { start_seconds: 2, end_seconds: 4 }, 'G:maj');
    expect(third.chords).toEqual([
      { start_seconds: 2, end_seconds: 4, label: 'G:maj' },
      { start_seconds: 4, end_seconds: 6, label: 'A:min' },
    ]);
  });
});

describe('undoing a correction', () => {
  /** A service that holds one correction, as it would tell it. */
  function holding(said: CorrectionBody) {
    const service = {
      said,
      read: async () => service.said,
      send: async (body: CorrectionBody) => {
        service.said = body;
        return body;
      },
    };
    return service;
  }

  it('says again what was said before it', async () => {
    const service = holding({ tempo: 'double', key: null });
    expect(await replaceKnown({ tempo: 'double' }, { key: null }, service)).toEqual({ key: null });
    expect(isEmpty(service.said)).toBe(true);
  });

  it('leaves alone what was said after it', async () => {
    const service = holding({ tempo: 'double', key: 'G major' });
    expect(await replaceKnown({ tempo: 'double' }, {}, service)).toBeNull();
    expect(service.said).toEqual({ tempo: 'double', key: 'G major' });
  });

  it('is possible again once what came after it was undone', async () => {
    const service = holding({ tempo: 'double', key: 'G major' });
    await replaceKnown({ tempo: 'double', key: 'G major' }, { tempo: 'double' }, service);
    expect(await replaceKnown({ tempo: 'double' }, {}, service)).toEqual({});
  });

  it('knows a correction whose fields come in another order', async () => {
    const service = holding({ chords: [{ end_seconds: 2, label: 'A:min7', start_seconds: 0 }] });
    const made = { chords: [{ start_seconds: 0, end_seconds: 2, label: 'A:min7' }] };
    expect(await replaceKnown(made, {}, service)).toEqual({});
  });
});

it('one kind is reverted to what was heard, and the others stay', () => {
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
