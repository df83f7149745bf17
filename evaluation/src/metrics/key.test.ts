import { describe, expect, it } from 'vitest';
import { keyScore, parseKey } from './key.ts';

describe('key', () => {
  it.each([
    ['C', 'C:maj', 1],
    ['C', 'G', 0.5],
    ['C', 'F', 0],
    ['C', 'A minor', 0.3],
    ['A:min', 'C', 0.3],
    ['A:min', 'E:min', 0.5],
    ['A:min', 'F#', 0],
    ['C', 'Cm', 0.2],
    ['Bb', 'A# major', 1],
    ['C', 'D', 0],
  ])('scores %s against %s as %d', (truth, guess, score) => {
    expect(keyScore(parseKey(truth)!, parseKey(guess))).toBe(score);
  });

  it('gives 0 for no answer', () => {
    expect(keyScore(parseKey('C')!, null)).toBe(0);
  });

  it.each([
    ['Bb:min', { pitchClass: 10, minor: true }],
    ['F#m', { pitchClass: 6, minor: true }],
    ['c Minor', { pitchClass: 0, minor: true }],
    ['CM', { pitchClass: 0, minor: false }],
    ['Cb', { pitchClass: 11, minor: false }],
    ['B##', { pitchClass: 1, minor: false }],
    ['C:Maj', { pitchClass: 0, minor: false }],
    ['D mixolydian', null],
    ['D dorian', null],
    ['Am7', null],
    ['Ambiguous', null],
    ['', null],
    [null, null],
  ])('reads %s as %j', (text, key) => {
    expect(parseKey(text)).toEqual(key);
  });
});
