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
    expect(parseKey(text)).toMatchObject({ pitchClass, mode });
  });

  it('knows no other word', () => {
    expect(parseKey('N')).toBeNull();
    expect(parseKey('')).toBeNull();
  });
});

describe('signatureOf', () => {
  it.each([
    ['C', 'major', 0],
    ['A', 'minor', 0],
    ['G', 'major', 1],
    ['F', 'major', -1],
    ['Eb', 'major', -3],
    ['F#', 'major', 6],
    ['C#', 'major', 7],
    ['C', 'minor', -3],
    ['B', 'minor', 2],
    ['Eb', 'minor', -6],
    ['D#', 'minor', 6],
    ['Ab', 'minor', -7],
    ['Cb', 'major', -7],
  ] as const)('%s %s', (tonic, mode, sharps) => {
    expect(signatureOf(tonic, mode)).toBe(sharps);
  });

  it.each([
    ['G#', 'major', -4],
    ['Fb', 'major', 4],
    ['Fb', 'minor', 1],
  ] as const)(
    '%s %s, which no signature can hold, as the key that sounds the same',
    (tonic, mode, sharps) => {
      expect(signatureOf(tonic, mode)).toBe(sharps);
    },
  );
});
