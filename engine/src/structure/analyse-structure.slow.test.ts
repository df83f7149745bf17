import { describe, expect, it } from 'vitest';
import { analyseStructure } from './analyse-structure.ts';
import { type Form, makeSong } from './test-songs.ts';

const outline = (form: Form) =>
  analyseStructure(makeSong(form)).structure.sections.map(({ group, startBar }) => [group, startBar]);

describe('form', () => {
  it('is found in an hour of music as it is in a song', () => {
    // 1,800 bars, seven times the largest lag at which bars are compared.
    const letters = ['A', 'B', 'A', 'C', 'B', 'D'];
    const form: Form = Array.from({ length: 225 }, (_, i): [string, number] => [
      letters[i % letters.length]!,
      8,
    ]);
    expect(outline(form)).toEqual(form.map(([letter], i) => [letter, 8 * i]));
  });
});
