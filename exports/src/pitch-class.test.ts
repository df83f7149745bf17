import { describe, expect, it } from 'vitest';
import { parseKey, signatureOf } from './pitch-class.ts';

describe('parseKey', () => {
  it.each([
    ['A', 9, 'major'],
    ['Am', 9, 'minor'],
    ['F# minor', 6, 'minor'],
    ['Bb:min', 10, 'minor'],
    ['Eb major', 3, 'major'],
  ])('reads %s', (text, pitchClass, mode) => {
    expect(parseKey(text)).toEqual({ pitchClass, mode });
  });

  it('knows no other word', () => {
    expect(parseKey('N')).toBeNull();
    expect(parseKey('')).toBeNull();
  });
});

describe('signatureOf', () => {
  it.each([
    ['C major', 0, 'major', 0],
    ['A minor', 9, 'minor', 0],
    ['G major', 7, 'major', 1],
    ['F major', 5, 'major', -1],
    ['Eb major', 3, 'major', -3],
    ['F# major', 6, 'major', 6],
    ['C minor', 0, 'minor', -3],
    ['B minor', 11, 'minor', 2],
  ] as const)('%s', (_, pitchClass, mode, sharps) => {
    expect(signatureOf(pitchClass, mode)).toBe(sharps);
  });
});
