import { describe, expect, it } from 'vitest';
import { keyName, spellKey, usesFlats } from './spelling.ts';

describe('keys are spelled by their signature', () => {
  it.each([
    ['C#', 'Db'],
    ['Eb', 'Eb'],
    ['F#', 'F#'],
    ['Ab', 'Ab'],
    ['Abm', 'G#m'],
    ['C#m', 'C#m'],
    ['Ebm', 'Ebm'],
    ['Bbm', 'Bbm'],
    ['Am', 'Am'],
    ['B', 'B'],
  ])('%s is %s', (notation, spelled) => {
    expect(spellKey(notation)).toBe(spelled);
  });

  it('names them in words', () => {
    expect([keyName('C#', 'major'), keyName('Ab', 'minor')]).toEqual(['Db major', 'G# minor']);
  });

  it('knows which have flats', () => {
    expect(['C#', 'F', 'Gm', 'G', 'Am', 'C#m'].map(usesFlats)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
