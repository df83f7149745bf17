import { describe, expect, it } from 'vitest';
import {
  findReasonAgainstForm,
  findReasonAgainstPulse,
  findReasonToAbstain,
  isBare,
  isStill,
} from './abstention.ts';

describe('nothing is told of a file', () => {
  const regionsOf = (
    ...given: [kind: 'music' | 'speech' | 'noise' | 'silence', seconds: number, confidence: number][]
  ) => {
    let endSeconds = 0;
    return {
      regions: given.map(([kind, seconds, confidence]) => {
        endSeconds += seconds;
        return { kind, startSeconds: endSeconds - seconds, endSeconds, confidence };
      }),
    };
  };

  it('that is surely speech or noise, whichever is more of it, silence aside', () => {
    expect(findReasonToAbstain(regionsOf(['speech', 6, 1], ['silence', 90, 1], ['noise', 5, 1]))).toBe(
      'speech',
    );
    expect(findReasonToAbstain(regionsOf(['speech', 5, 1], ['noise', 6, 1]))).toBe('noise');
  });

  it('as sure as its regions are in the mean of their lengths', () => {
    // (30 · 0.9 + 10 · 0.5) / 40 is 0.8, and a second less of the surer leaves less.
    expect(findReasonToAbstain(regionsOf(['noise', 30, 0.9], ['noise', 10, 0.5]))).toBe('noise');
    expect(findReasonToAbstain(regionsOf(['noise', 29, 0.9], ['noise', 11, 0.5]))).toBeNull();
  });

  it('but of one with some music, or with no sound', () => {
    expect(findReasonToAbstain(regionsOf(['speech', 60, 1], ['music', 1, 0.5]))).toBeNull();
    expect(findReasonToAbstain(regionsOf(['silence', 9, 1]))).toBeNull();
    expect(findReasonToAbstain({ regions: [] })).toBeNull();
  });
});

describe('a tempo', () => {
  const of = (kind: 'music' | 'noise' | 'speech', sureness: number) => ({
    regions: [{ startSeconds: 0, endSeconds: 30, kind, confidence: sureness }],
  });

  it('is kept back where nothing is called music, however hesitantly, unless it is plain', () => {
    const doubtful = of('noise', 0.5);
    expect(findReasonToAbstain(doubtful)).toBeNull();
    expect(findReasonAgainstPulse(doubtful, null, { confidence: 0.6 })).toBe('noise');
    expect(findReasonAgainstPulse(of('speech', 0.5), null, { confidence: null })).toBe('speech');
    expect(findReasonAgainstPulse(doubtful, null, { confidence: 0.75 })).toBeNull();
  });

  it('is given of music, unless somebody else says that it is none', () => {
    const music = of('music', 0.5);
    expect(findReasonAgainstPulse(music, null, { confidence: 0.3 })).toBeNull();
    expect(findReasonAgainstPulse(music, 'noise', { confidence: 0.3 })).toBe('noise');
    expect(findReasonAgainstPulse(music, 'noise', { confidence: 0.9 })).toBeNull();
  });
});

describe('a sound that stays where it is', () => {
  const chordsOf = (...labels: string[]) => labels.map((label) => ({ label }));
  const bell = chordsOf('F:maj', 'N', 'F:maj');

  it('hardly moves in harmony, and less so without a pulse', () => {
    const three = chordsOf('F:maj', 'C:maj', 'D:min');
    expect(isStill(bell, { confidence: 0.9 }, 30)).toBe(true);
    expect(isStill(three, { confidence: 0.54 }, 30)).toBe(true);
    expect(isStill(three, { confidence: null }, 30)).toBe(true);
    expect(isStill(three, { confidence: 0.9 }, 30)).toBe(false);
  });

  it('is none with four harmonies, or too little time to move', () => {
    const four = chordsOf('F:maj', 'C:maj', 'D:min', 'Bb:maj');
    expect(isStill(four, { confidence: null }, 30)).toBe(false);
    expect(isStill(bell, { confidence: null }, 12)).toBe(false);
  });
});

describe('what music is made of', () => {
  it.each([
    ['notes that move', { isPitched: true, isStill: false, beatScore: 0.7 }, false],
    ['a rap over a bare beat', { isPitched: false, isStill: true, beatScore: 3.7 }, false],
    ['a blues on one chord', { isPitched: true, isStill: true, beatScore: 1.7 }, false],
    ['a crying child', { isPitched: false, isStill: true, beatScore: 2.3 }, true],
    ['a horn', { isPitched: true, isStill: true, beatScore: 1 }, true],
    ['notes that stay, without a beat', { isPitched: true, isStill: true, beatScore: null }, true],
    ['notes that move, without a beat', { isPitched: true, isStill: false, beatScore: null }, false],
    ['neither notes nor a beat', { isPitched: false, isStill: false, beatScore: null }, true],
  ])('%s', (_name, sound, expected) => {
    expect(isBare(sound)).toBe(expected);
  });
});

it.each([
  ['speech', { isPitched: true, hasPulse: true }, 'speech'],
  [null, { isPitched: false, hasPulse: false }, 'noise'],
  [null, { isPitched: true, hasPulse: false }, null],
  [null, { isPitched: false, hasPulse: true }, null],
] as const)('no form where it is %j and %j: %j', (noMusic, sound, reason) => {
  expect(findReasonAgainstForm(noMusic, sound)).toBe(reason);
});
