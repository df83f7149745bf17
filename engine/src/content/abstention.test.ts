import { describe, expect, it } from 'vitest';
import {
  findReasonAgainstForm,
  findReasonAgainstPulse,
  findReasonToAbstain,
  isBare,
  isStill,
} from './abstention.ts';

describe('a whole file without music', () => {
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

  it('is speech or noise, whichever lasts longer, not counting silence', () => {
    expect(findReasonToAbstain(regionsOf(['speech', 6, 1], ['silence', 90, 1], ['noise', 5, 1]))).toBe(
      'speech',
    );
    expect(findReasonToAbstain(regionsOf(['speech', 5, 1], ['noise', 6, 1]))).toBe('noise');
  });

  it('needs a mean confidence of 0.8, weighted by the length of its regions', () => {
    // (30 · 0.9 + 10 · 0.5) / 40 = 0.8; with 29 and 11 seconds it is 0.79.
    expect(findReasonToAbstain(regionsOf(['noise', 30, 0.9], ['noise', 10, 0.5]))).toBe('noise');
    expect(findReasonToAbstain(regionsOf(['noise', 29, 0.9], ['noise', 11, 0.5]))).toBeNull();
  });

  it('is not one with some music, or one without sound', () => {
    expect(findReasonToAbstain(regionsOf(['speech', 60, 1], ['music', 1, 0.5]))).toBeNull();
    expect(findReasonToAbstain(regionsOf(['silence', 9, 1]))).toBeNull();
    expect(findReasonToAbstain({ regions: [] })).toBeNull();
  });
});

describe('a tempo', () => {
  const of = (kind: 'music' | 'noise' | 'speech', sureness: number) => ({
    regions: [{ startSeconds: 0, endSeconds: 30, kind, confidence: sureness }],
  });

  it('is withheld where no region is music, even at low confidence, unless it is plain', () => {
    const doubtful = of('noise', 0.5);
    expect(findReasonToAbstain(doubtful)).toBeNull();
    expect(findReasonAgainstPulse(doubtful, null, { confidence: 0.6 })).toBe('noise');
    expect(findReasonAgainstPulse(of('speech', 0.5), null, { confidence: null })).toBe('speech');
    expect(findReasonAgainstPulse(doubtful, null, { confidence: 0.75 })).toBeNull();
  });

  it('is reported for music, unless another stage says that it is not music', () => {
    const music = of('music', 0.5);
    expect(findReasonAgainstPulse(music, null, { confidence: 0.3 })).toBeNull();
    expect(findReasonAgainstPulse(music, 'noise', { confidence: 0.3 })).toBe('noise');
    expect(findReasonAgainstPulse(music, 'noise', { confidence: 0.9 })).toBeNull();
  });
});

describe('a still sound', () => {
  const chordsOf = (...labels: string[]) => labels.map((label) => ({ label }));
  const bell = chordsOf('F:maj', 'N', 'F:maj');

  it('has at most two different chords, or three with hardly a pulse', () => {
    const three = chordsOf('F:maj', 'C:maj', 'D:min');
    expect(isStill(bell, { confidence: 0.9 }, 30)).toBe(true);
    expect(isStill(three, { confidence: 0.59 }, 30)).toBe(true);
    expect(isStill(three, { confidence: null }, 30)).toBe(true);
    expect(isStill(three, { confidence: 0.6 }, 30)).toBe(false);
  });

  it('never has four different chords', () => {
    const four = chordsOf('F:maj', 'C:maj', 'D:min', 'Bb:maj');
    expect(isStill(four, { confidence: null }, 30)).toBe(false);
  });

  it('lasts 20 seconds or more', () => {
    expect(isStill(bell, { confidence: null }, 20)).toBe(true);
    expect(isStill(bell, { confidence: null }, 19.9)).toBe(false);
  });
});

describe('a bare sound', () => {
  it.each([
    ['a crying child', { isPitched: false, isStill: true, beatScore: 2.3 }],
    ['a horn', { isPitched: true, isStill: true, beatScore: 1 }],
    ['still notes without a beat', { isPitched: true, isStill: true, beatScore: null }],
    ['neither notes nor a beat', { isPitched: false, isStill: false, beatScore: null }],
  ])('is %s', (_, sound) => {
    expect(isBare(sound)).toBe(true);
  });

  it.each([
    ['notes that move', { isPitched: true, isStill: false, beatScore: 0.7 }],
    ['notes that move without a beat', { isPitched: true, isStill: false, beatScore: null }],
    ['a rap over a bare beat', { isPitched: false, isStill: true, beatScore: 3.7 }],
    ['a blues on one chord', { isPitched: true, isStill: true, beatScore: 1.7 }],
  ])('is not %s', (_, sound) => {
    expect(isBare(sound)).toBe(false);
  });
});

it.each([
  ['speech', { isPitched: true, hasPulse: true }, 'speech'],
  [null, { isPitched: false, hasPulse: false }, 'noise'],
  [null, { isPitched: true, hasPulse: false }, null],
  [null, { isPitched: false, hasPulse: true }, null],
] as const)('the reason against sections, given %j and %j, is %j', (noMusic, sound, reason) => {
  expect(findReasonAgainstForm(noMusic, sound)).toBe(reason);
});
