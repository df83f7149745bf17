import { describe, expect, it } from 'vitest';
import {
  compatibleNumbers,
  createPairScore,
  explainMix,
  keyRelation,
  mixOf,
  scoreOf,
  tempoShift,
} from './mixing.ts';

describe('keyRelation', () => {
  it.each([
    ['8A', '8A', 'same'],
    ['8A', '8B', 'relative'],
    ['8A', '9A', 'fifth_up'],
    ['8A', '7A', 'fifth_down'],
    ['12B', '1B', 'fifth_up'],
    ['1A', '12A', 'fifth_down'],
    ['8A', '10A', 'two_fifths_up'],
    ['1A', '11A', 'two_fifths_down'],
    // A minor to Bb minor.
    ['8A', '3A', 'semitone_up'],
    ['3A', '8A', 'semitone_down'],
    ['8A', '2A', 'far'],
    ['8A', '9B', 'far'],
  ] as const)('%s to %s is %s', (first, second, relation) => {
    expect(keyRelation(first, second)).toBe(relation);
  });
});

describe('tempoShift', () => {
  it('brings the second song to the first tempo, its half or its double, whichever is nearest', () => {
    expect(tempoShift(126, 120)).toEqual({ percent: 5, level: 1 });
    expect(tempoShift(140, 70)).toEqual({ percent: 0, level: 0.5 });
    expect(tempoShift(70, 142)).toEqual({ percent: -1.41, level: 2 });
    expect(tempoShift(null, 142)).toBeNull();
  });
});

describe('explainMix', () => {
  it('describes key, tempo and energy', () => {
    const first = { bpm: 124, camelot: '8A', energy: 0.5 };
    const second = { bpm: 126, camelot: '9A', energy: 0.55 };
    const mix = mixOf(first, second);
    expect(explainMix(first, second, mix)).toBe(
      '8A to 9A, a fifth higher; 124.0 to 126.0 BPM, slowed by 1.6 %; energy up by 0.05',
    );
  });

  const song = { bpm: 124, camelot: '8A', energy: 0.5 };
  it.each([
    [{ ...song, bpm: 62 }, 'the same key; 124.0 to 62.0 BPM against its half, as it is; the same energy'],
    [{ ...song, bpm: 248 }, 'the same key; 124.0 to 248.0 BPM against its double, as it is; the same energy'],
    // 124 / 123.94 is a shift of 0.05 %, the first that is not rounded to none.
    [{ ...song, bpm: 123.94 }, 'the same key; 124.0 to 123.9 BPM, sped up by 0.1 %; the same energy'],
    [{ ...song, bpm: 123.95 }, 'the same key; 124.0 to 124.0 BPM, as it is; the same energy'],
    [{ ...song, bpm: null }, 'the same key; no tempo to compare; the same energy'],
    [{ ...song, energy: 0.496 }, 'the same key; 124.0 to 124.0 BPM, as it is; the same energy'],
    [{ ...song, energy: 0.495 }, 'the same key; 124.0 to 124.0 BPM, as it is; energy down by 0.01'],
    [{ ...song, energy: null }, 'the same key; 124.0 to 124.0 BPM, as it is; no energy to compare'],
  ])('8A at 124 BPM to %j: %s', (next, words) => {
    expect(explainMix(song, next, mixOf(song, next))).toBe(`8A to 8A, ${words}`);
  });

  it('says when a key is unknown', () => {
    const next = { ...song, camelot: null };
    expect(explainMix(song, next, mixOf(song, next))).toMatch(/^no key to compare; /);
  });
});

it('compatibleNumbers are the key, its fifths either way and its relative, also across twelve', () => {
  // 1A, 1B, 2A … are 0, 1, 2 …: of 8A they are 7A, 9A and 8B, of 12B 11B, 1B and 12A.
  expect(compatibleNumbers(14)).toEqual([14, 12, 16, 15]);
  expect(compatibleNumbers(23)).toEqual([23, 21, 1, 22]);
});

it('scores key, tempo and energy, with a fixed score for what is unknown', () => {
  const mix = { keyRelation: 'relative', tempoShiftPercent: -4, tempoLevel: 1, energyStep: 0.25 } as const;
  // 0.9 for a relative, half of 8 %, half of 0.5.
  expect(scoreOf(mix)).toBe(0.5 * 0.9 + 0.35 * 0.5 + 0.15 * 0.5);
  // More than 8 % and 0.5 score nothing, but not less.
  expect(scoreOf({ ...mix, tempoShiftPercent: 12, energyStep: -0.75 })).toBe(0.45);
  const unknown = { keyRelation: null, tempoShiftPercent: null, tempoLevel: null, energyStep: null };
  expect(scoreOf(unknown)).toBe(0.3);
});

it('gives a song the full score with itself', () => {
  const song = { bpm: 124, camelot: '8A', energy: 0.5 };
  expect(scoreOf(mixOf(song, song))).toBe(1);
});

it('createPairScore gives the score of each pair, and the floor where that is higher', () => {
  const [camelots, bpms] = [
    ['8A', '8B', '9A', '3B', null],
    [null, 0, 60, 62.4, 90, 124, 174.5],
  ];
  const songs = camelots.flatMap((camelot) =>
    bpms.flatMap((bpm) => [null, 0.1, 0.475, 0.9].map((energy) => ({ camelot, bpm, energy }))),
  );
  const pairScore = createPairScore(songs);
  for (const [first, from] of songs.entries()) {
    for (const [second, to] of songs.entries()) {
      const score = scoreOf(mixOf(from, to));
      expect(pairScore(first, second)).toBe(score);
      expect(pairScore(first, second, 0.6)).toBe(Math.max(score, 0.6));
    }
  }
});
