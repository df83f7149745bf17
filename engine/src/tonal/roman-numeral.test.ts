import { describe, expect, it } from 'vitest';
import type { ChordQuality } from './chord-quality.ts';
import { toRomanNumeral } from './roman-numeral.ts';

describe('Roman numerals', () => {
  it.each([
    [0, 'maj', 0, 'I'],
    [9, 'min', 0, 'vi'],
    [7, '7', 0, 'V7'],
    [10, 'maj', 0, 'bVII'],
    [5, 'maj7', 0, 'IVmaj7'],
    [11, 'hdim7', 0, 'viiø7'],
    [9, 'min', 21, 'i'],
    [0, 'maj', 21, 'III'],
    [5, 'maj', 21, 'VI'],
    [4, '7', 21, 'V7'],
    [8, 'dim', 21, '#vii°'],
    [2, 'min7', 21, 'iv7'],
    [1, 'aug', 13, 'I+'],
    [6, 'sus4', 11, 'Vsus4'],
  ] as [number, ChordQuality, number, string][])(
    'pitch class %i %s in key %i is %s',
    (root, quality, key, roman) => {
      expect(toRomanNumeral(root, quality, key)).toBe(roman);
    },
  );

  it.each([
    [0, 'I bII II bIII III IV #IV V bVI VI bVII VII'],
    [12, 'I bII II III #III IV #IV V VI #VI VII #VII'],
  ])('name the twelve degrees of key %i', (key, degrees) => {
    const romans = Array.from({ length: 12 }, (_, root) => toRomanNumeral(root, 'maj', key));
    expect(romans).toEqual(degrees.split(' '));
  });
});
