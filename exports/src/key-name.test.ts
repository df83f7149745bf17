import { describe, expect, it } from 'vitest';
import { notationsOf, readKeyName, wheelNumberOf } from './key-name.ts';

describe('readKeyName', () => {
  // On the Camelot wheel C major is 8B and A minor 8A; with Open Key they are 1d and 1m, and C minor is 10m.
  it.each([
    ['C minor', 'C', 'minor'],
    [' Cm ', 'C', 'minor'],
    ['C:min', 'C', 'minor'],
    ['5A', 'C', 'minor'],
    ['10m', 'C', 'minor'],
    ['C', 'C', 'major'],
    ['c maj', 'C', 'major'],
    ['8B', 'C', 'major'],
    ['1d', 'C', 'major'],
    ['8A', 'A', 'minor'],
    ['1m', 'A', 'minor'],
    ['12B', 'E', 'major'],
    ['B♭ major', 'Bb', 'major'],
    ['f♯m', 'F#', 'minor'],
    ['Cb', 'B', 'major'],
  ])('reads %j', (text, key, scale) => {
    expect(readKeyName(text)).toEqual({ key, scale });
  });

  it.each(['', 'H', 'C dorian', 'Cmm', '0A', '13A', '8C', 'C##'])('refuses %j', (text) => {
    expect(readKeyName(text)).toBeNull();
  });
});

it('writes a key in three notations', () => {
  expect(notationsOf({ key: 'C', scale: 'minor' })).toEqual({
    key_notation: 'Cm',
    camelot: '5A',
    open_key: '10m',
  });
});

it('numbers the Camelot wheel from 1A to 12B', () => {
  expect(['1A', '1B', '2A', '12B'].map(wheelNumberOf)).toEqual([0, 1, 2, 23]);
});
