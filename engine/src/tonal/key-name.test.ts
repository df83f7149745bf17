import { describe, expect, it } from 'vitest';
import {
  createKey,
  keyNumberOf,
  parseKeyHint,
  pitchNameOf,
  scaleOf,
  spellPitchClass,
  tonicOf,
} from './key-name.ts';

const spellAll = (key: number): string[] => Array.from({ length: 12 }, (_, pc) => spellPitchClass(pc, key));

describe('spelling', () => {
  it.each([
    ['C major', createKey(0, 'major'), 'C Db D Eb E F F# G Ab A Bb B'],
    ['E major', createKey(4, 'major'), 'C C# D D# E F F# G G# A A# B'],
    ['Ab major', createKey(8, 'major'), 'C Db D Eb E F Gb G Ab A Bb B'],
    ['A minor', createKey(9, 'minor'), 'C C# D D# E F F# G G# A Bb B'],
    ['Bb minor', createKey(10, 'minor'), 'C Db D Eb E F Gb G Ab A Bb B'],
  ])('of %s', (_name, key, expected) => {
    expect(spellAll(key)).toEqual(expected.split(' '));
  });

  it('without a key is that of C major', () => {
    expect(Array.from({ length: 12 }, (_, pc) => spellPitchClass(pc, null))).toEqual(spellAll(0));
  });

  it('of a minor key follows the signature of its relative major, except for the raised degrees', () => {
    expect(spellAll(createKey(0, 'minor'))).toEqual('C Db D Eb E F F# G Ab A Bb B'.split(' '));
    expect(spellAll(createKey(4, 'minor'))).toEqual('C C# D D# E F F# G G# A A# B'.split(' '));
    // As tonics of major keys, these are spelled with flats: Db, Eb and Ab.
    for (const tonic of [1, 3, 8]) {
      expect(spellAll(createKey(tonic, 'minor'))).toEqual('C C# D D# E F F# G G# A A# B'.split(' '));
    }
  });

  it('spells the degrees of every major scale with different letters, except in F# major', () => {
    for (let tonic = 0; tonic < 12; tonic++) {
      const scale = [0, 2, 4, 5, 7, 9, 11].map((step) => spellPitchClass((tonic + step) % 12, tonic));
      // F# major has an E#, which is replaced by F.
      expect(new Set(scale.map((name) => name[0])).size, `tonic ${tonic}`).toBe(tonic === 6 ? 6 : 7);
    }
  });

  it('has a different name for each pitch class in every key', () => {
    for (let key = 0; key < 24; key++) expect(new Set(spellAll(key)).size).toBe(12);
  });
});

describe('the number of a key', () => {
  it.each([
    ['C', 'major', 0],
    ['B', 'major', 11],
    ['C', 'minor', 12],
    ['Bb', 'minor', 22],
  ] as const)('%s %s is %i, and back', (name, scale, number) => {
    expect(keyNumberOf(name, scale)).toBe(number);
    expect([pitchNameOf(tonicOf(number)), scaleOf(number)]).toEqual([name, scale]);
  });
});

describe('key hints', () => {
  it.each([
    ['A', [9, 21]],
    ['Am', [21]],
    ['a minor', [21]],
    ['F# minor', [18]],
    ['Bb:min', [22]],
    ['B♭ major', [10]],
    ['C M', [0]],
    ['c#m', [13]],
    ['Db:maj', [1]],
    ['EMIN', [16]],
    ['E MAJ', [4]],
    ['A Minor', [21]],
    ['C Major', [0]],
    ['C♯ minor', [13]],
    ['Ebb', [2, 14]],
    ['Gmaj', [7]],
    ['F dur', [5]],
    ['A moll', [21]],
  ])('reads %s', (text, keys) => {
    expect(parseKeyHint(text)).toEqual(keys);
  });

  it.each([
    '',
    'H',
    'loud',
    'A lydian',
    '7',
    'A nominor',
    'A minority',
    'A remaj',
    'A major7',
    'A sharp MIN',
    'A MINor',
    'A mIN',
  ])('rejects %j', (text) => {
    expect(parseKeyHint(text)).toBeNull();
  });
});
