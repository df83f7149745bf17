import { SongFilter } from '@earshot/contract';
import { readKeyName } from '@earshot/exports';
import { expect, it } from 'vitest';

const TONICS = [...'ABCDEFGHabcdefgh19'].flatMap((letter) =>
  ['', '#', 'b', '♯', '♭'].map((sign) => letter + sign),
);
const SCALES = ['', 'm', 'min', 'minor', 'maj', 'major', 'dur'];
const candidates = [
  ...TONICS.flatMap((tonic) =>
    ['', ' ', ':', '  ', ': ', '\t'].flatMap((gap) => SCALES.map((scale) => tonic + gap + scale)),
  ),
  ...['A', 'B', 'm', 'd', 'a', 'b', 'M', 'D', 'C'].flatMap((letter) =>
    ['0', '1', '9', '10', '12', '13', '08'].map((hour) => hour + letter),
  ),
];

/** The filter is checked by the contract and read by the exports (find.ts), which do not know each other. */
it('accepts exactly the keys that can be read, with at most one separator', () => {
  const unusual = /\t|[ :]{2}|\d[MD]/;
  const accepted = candidates.filter((key) => SongFilter.safeParse({ key: [key] }).success);
  expect(accepted).toEqual(
    candidates.filter((key) => readKeyName(key) !== null && !unusual.test(key.trim())),
  );
  expect(accepted).toEqual(expect.arrayContaining(['C minor', 'F#m', 'Bb:maj', '9A', '10m']));
  const compatible = candidates.filter((key) => SongFilter.safeParse({ compatible_with: key }).success);
  expect(compatible).toEqual(accepted);
});
