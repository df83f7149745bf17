import { expect, it } from 'vitest';
import type { PitchName, Scale } from '../result.ts';
import { notateCamelot, notateKey, notateOpenKey } from './key-notation.ts';

// All 24 keys on the published wheels of Mixed In Key and Traktor.
const WHEEL: [PitchName, Scale, string, string, string][] = [
  ['Ab', 'minor', 'Abm', '1A', '6m'],
  ['Eb', 'minor', 'Ebm', '2A', '7m'],
  ['Bb', 'minor', 'Bbm', '3A', '8m'],
  ['F', 'minor', 'Fm', '4A', '9m'],
  ['C', 'minor', 'Cm', '5A', '10m'],
  ['G', 'minor', 'Gm', '6A', '11m'],
  ['D', 'minor', 'Dm', '7A', '12m'],
  ['A', 'minor', 'Am', '8A', '1m'],
  ['E', 'minor', 'Em', '9A', '2m'],
  ['B', 'minor', 'Bm', '10A', '3m'],
  ['F#', 'minor', 'F#m', '11A', '4m'],
  ['C#', 'minor', 'C#m', '12A', '5m'],
  ['B', 'major', 'B', '1B', '6d'],
  ['F#', 'major', 'F#', '2B', '7d'],
  ['C#', 'major', 'C#', '3B', '8d'],
  ['Ab', 'major', 'Ab', '4B', '9d'],
  ['Eb', 'major', 'Eb', '5B', '10d'],
  ['Bb', 'major', 'Bb', '6B', '11d'],
  ['F', 'major', 'F', '7B', '12d'],
  ['C', 'major', 'C', '8B', '1d'],
  ['G', 'major', 'G', '9B', '2d'],
  ['D', 'major', 'D', '10B', '3d'],
  ['A', 'major', 'A', '11B', '4d'],
  ['E', 'major', 'E', '12B', '5d'],
];

it.each(WHEEL)('%s %s is %s, %s and %s', (key, scale, notation, camelot, openKey) => {
  expect(notateKey(key, scale)).toBe(notation);
  expect(notateCamelot(key, scale)).toBe(camelot);
  expect(notateOpenKey(key, scale)).toBe(openKey);
});
