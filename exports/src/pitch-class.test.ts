import { describe, expect, it } from 'vitest';
import { parseKey, pitchClassOf, signatureOf } from './pitch-class.ts';

describe('parseKey', () => {
  it.each([
    ['A', 9, 'major'],
    ['Am', 9, 'minor'],
    ['F#m', 6, 'minor'],
    ['Bbm', 10, 'minor'],
    ['Eb', 3, 'major'],
  ])('reads %s', (text, pitchClass, scale) => {
    expect(parseKey(text)).toMatchObject({ pitchClass, scale });
  });

  it.each(['N', '', 'Amaj', 'Bass', 'A minor', 'C♯m'])('gives null for %j', (text) => {
    expect(parseKey(text)).toBeNull();
  });
});

it('pitchClassOf gives the semitones above C, and null for other words', () => {
  expect(['C', 'Bb', 'E#', 'Cb'].map(pitchClassOf)).toEqual([0, 10, 5, 11]);
  expect(['H', '', 'toString'].map(pitchClassOf)).toEqual([null, null, null]);
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
    '%s %s has too many accidentals, and gets the signature of its enharmonic key',
    (tonic, mode, sharps) => {
      expect(signatureOf(tonic, mode)).toBe(sharps);
    },
  );
});
