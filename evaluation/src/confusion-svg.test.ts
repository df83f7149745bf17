import { expect, it } from 'vitest';
import { drawConfusion } from './confusion-svg.ts';

const answer = (truth: string | null, genre: string | null) => ({
  tempo: { truthBpm: null, bpm: null, confidence: null },
  key: { truth: null, key: null, confidence: null, tuningHz: null },
  genre: { truth, genre, confidence: null },
});

it('counts the genres named for the clips of each genre, and shades a cell by its share of the row', () => {
  const svg = drawConfusion({
    answers: {
      a: answer('pop', 'pop'),
      b: answer('pop', 'pop'),
      c: answer('pop', 'ska'),
      d: answer('pop', 'rock'),
      e: answer('rock', null),
      noise: answer(null, 'pop'),
    },
  });
  const heads = [...svg.matchAll(/rotate\(-45\)">([^<]*)</g)].map(([, name]) => name);
  const shares = [...svg.matchAll(/fill-opacity="([\d.]+)"/g)].map(([, share]) => share);
  const counts = [...svg.matchAll(/>(\d+)<\/text>/g)].map(([, count]) => count);
  expect(heads).toEqual(['pop', 'rock', 'other', 'none']);
  expect(shares).toEqual(['0.50', '0.25', '0.25', '0.00', '0.00', '0.00', '0.00', '1.00']);
  expect(counts).toEqual(['2', '1', '1', '1']);
});
