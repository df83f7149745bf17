import { expect, it } from 'vitest';
import { transpose } from './transpose.mjs';

it.each([
  ['Bbm7', 0, 'Bbm7'],
  ['Em', 2, 'F#m'],
  ['Bbm7', 4, 'Dm7'],
  ['F#m', 7, 'C#m'],
  ['C', -2, 'A#'],
  ['Eb', -27, 'C'],
])('%s by %i semitones is %s', (chord, semitones, transposed) => {
  expect(transpose(chord, semitones)).toBe(transposed);
});
