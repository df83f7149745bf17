import { expect, it } from 'vitest';
import { drawConfusion } from './confusion-svg.ts';

const answer = (truth: string | null, genre: string | null) => ({
  tempo: { truthBpm: null, bpm: null, confidence: null },
  key: { truth: null, key: null, confidence: null, tuningHz: null },
  genre: { truth, genre, confidence: null },
});

const svg = drawConfusion({
  answers: {
    a: answer('rock', null),
    b: answer('pop', 'pop'),
    c: answer('pop', 'pop'),
    d: answer('pop', 'ska'),
    e: answer('pop', 'rock'),
    noise: answer(null, 'pop'),
  },
});

it('counts the genres named for the clips of each genre, and shades a cell by its share of the row', () => {
  const heads = [...svg.matchAll(/rotate\(-45\)">([^<]*)</g)].map(([, name]) => name);
  const shares = [...svg.matchAll(/fill-opacity="([\d.]+)"/g)].map(([, share]) => share);
  const counts = [...svg.matchAll(/>(\d+)<\/text>/g)].map(([, count]) => count);
  expect(heads).toEqual(['pop', 'rock', 'other', 'none']);
  expect(shares).toEqual(['0.50', '0.25', '0.25', '0.00', '0.00', '0.00', '0.00', '1.00']);
  expect(counts).toEqual(['2', '1', '1', '1']);
});

it('has a row for each true genre, a column for each that was named, and another colour where they are the same', () => {
  const cells = [...svg.matchAll(/<rect x="(\d+)" y="(\d+)" width="40" height="40" fill="(#\w+)"/g)];
  const [right, wrong] = ['#2b8a3e', '#e8590c'];
  // Pop in the first row, rock in the second: beside 80 px of names, below 70 px of heads.
  expect(cells.map(([, x, y, colour]) => [Number(x), Number(y), colour])).toEqual([
    ...[80, 120, 160, 200].map((x) => [x, 70, x === 80 ? right : wrong]),
    ...[80, 120, 160, 200].map((x) => [x, 110, x === 120 ? right : wrong]),
  ]);
  const names = [...svg.matchAll(/<text x="\d+" y="(\d+)" text-anchor="end">(\w+)</g)];
  // Written from four pixels below the middle of the row.
  expect(names.map(([, y, name]) => [Number(y), name])).toEqual([
    [94, 'pop'],
    [134, 'rock'],
  ]);
  const headXs = [...svg.matchAll(/translate\((\d+) 64\)/g)].map(([, x]) => Number(x));
  expect(headXs).toEqual([100, 140, 180, 220]);
  // Beside the cells is room for the last head, which is slanted.
  expect(svg).toContain('viewBox="0 0 280 160"');
  const counts = [...svg.matchAll(/<text x="(\d+)" y="(\d+)" text-anchor="middle">(\d)</g)];
  expect(counts.map(([, x, y, count]) => [Number(x), Number(y), Number(count)])).toEqual([
    [100, 94, 2],
    [140, 94, 1],
    [180, 94, 1],
    [220, 134, 1],
  ]);
});
