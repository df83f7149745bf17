import { describe, expect, it } from 'vitest';
import {
  findReasonToAbstain,
  findReasonToWithholdSections,
  findReasonToWithholdTempo,
  isHarmonyStatic,
  lacksSubstance,
} from './abstention.ts';

describe('a file without music', () => {
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

  it('is speech or noise, whichever lasts longer, and speech when they are level; silence does not count', () => {
    expect(findReasonToAbstain(regionsOf(['speech', 6, 1], ['silence', 90, 1], ['noise', 5, 1]))).toBe(
      'speech',
    );
    expect(findReasonToAbstain(regionsOf(['speech', 5, 1], ['noise', 6, 1]))).toBe('noise');
    expect(findReasonToAbstain(regionsOf(['speech', 5, 1], ['noise', 5, 1]))).toBe('speech');
  });

  it('needs a mean confidence of 0.8, weighted by the length of its regions', () => {
    // (30 · 0.9 + 10 · 0.5) / 40 = 0.8; with 29 and 11 seconds it is 0.79.
    expect(findReasonToAbstain(regionsOf(['noise', 30, 0.9], ['noise', 10, 0.5]))).toBe('noise');
    expect(findReasonToAbstain(regionsOf(['noise', 29, 0.9], ['noise', 11, 0.5]))).toBeNull();
  });

  it('has no music at all, and some sound', () => {
    expect(findReasonToAbstain(regionsOf(['speech', 60, 1], ['music', 1, 0.5]))).toBeNull();
    expect(findReasonToAbstain(regionsOf(['silence', 9, 1]))).toBeNull();
    expect(findReasonToAbstain({ regions: [] })).toBeNull();
  });
});

describe('a tempo', () => {
  const of = (kind: 'music' | 'noise' | 'speech', confidence: number) => ({
    regions: [{ startSeconds: 0, endSeconds: 30, kind, confidence }],
  });

  it('is withheld where no region is music, even at low confidence, unless the pulse is plain', () => {
    const doubtful = of('noise', 0.5);
    expect(findReasonToAbstain(doubtful)).toBeNull();
    expect(findReasonToWithholdTempo(doubtful, null, { confidence: 0.74 })).toBe('noise');
    expect(findReasonToWithholdTempo(of('speech', 0.5), null, { confidence: null })).toBe('speech');
    expect(findReasonToWithholdTempo(doubtful, null, { confidence: 0.75 })).toBeNull();
  });

  it('is withheld from music that another stage does not take for music, unless the pulse is plain', () => {
    const music = of('music', 0.5);
    expect(findReasonToWithholdTempo(music, null, { confidence: 0.3 })).toBeNull();
    expect(findReasonToWithholdTempo(music, 'noise', { confidence: 0.3 })).toBe('noise');
    expect(findReasonToWithholdTempo(music, 'noise', { confidence: 0.9 })).toBeNull();
  });
});

describe('a static harmony', () => {
  const chordsOf = (...labels: string[]) => labels.map((label) => ({ label }));
  const bell = chordsOf('F:maj', 'N', 'F:maj');

  it('has at most two different chords, or three with hardly a pulse', () => {
    const three = chordsOf('F:maj', 'C:maj', 'D:min');
    expect(isHarmonyStatic(bell, { confidence: 0.9 }, 30)).toBe(true);
    expect(isHarmonyStatic(three, { confidence: 0.59 }, 30)).toBe(true);
    expect(isHarmonyStatic(three, { confidence: null }, 30)).toBe(true);
    expect(isHarmonyStatic(three, { confidence: 0.6 }, 30)).toBe(false);
  });

  it('never has four different chords', () => {
    const four = chordsOf('F:maj', 'C:maj', 'D:min', 'Bb:maj');
    expect(isHarmonyStatic(four, { confidence: null }, 30)).toBe(false);
  });

  it('lasts 20 seconds or more', () => {
    expect(isHarmonyStatic(bell, { confidence: null }, 20)).toBe(true);
    expect(isHarmonyStatic(bell, { confidence: null }, 19.9)).toBe(false);
  });
});

describe('a sound that lacks substance', () => {
  it.each([
    ['a crying child', { isPitched: false, isHarmonyStatic: true, beatScore: 2.3 }],
    ['a horn', { isPitched: true, isHarmonyStatic: true, beatScore: 1 }],
    ['notes of static harmony without a beat', { isPitched: true, isHarmonyStatic: true, beatScore: null }],
    ['neither notes nor a beat', { isPitched: false, isHarmonyStatic: false, beatScore: null }],
  ])('is %s', (_, sound) => {
    expect(lacksSubstance(sound)).toBe(true);
  });

  it.each([
    ['notes that move', { isPitched: true, isHarmonyStatic: false, beatScore: 0.7 }],
    ['notes that move without a beat', { isPitched: true, isHarmonyStatic: false, beatScore: null }],
    ['a rap over drums alone', { isPitched: false, isHarmonyStatic: true, beatScore: 3.7 }],
    ['a blues on one chord', { isPitched: true, isHarmonyStatic: true, beatScore: 1.7 }],
  ])('is not %s', (_, sound) => {
    expect(lacksSubstance(sound)).toBe(false);
  });
});

it.each([
  ['speech', { isPitched: true, hasPulse: true }, 'speech'],
  [null, { isPitched: false, hasPulse: false }, 'noise'],
  [null, { isPitched: true, hasPulse: false }, null],
  [null, { isPitched: false, hasPulse: true }, null],
] as const)('the reason against sections, given %j and %j, is %j', (noMusic, sound, reason) => {
  expect(findReasonToWithholdSections(noMusic, sound)).toBe(reason);
});
