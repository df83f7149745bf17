import { describe, expect, it } from 'vitest';
import { chartName, HARTE_OF_CHART, parseChord } from './chord-label.ts';

describe('chartName', () => {
  it.each([
    ['A:min7', 'Am7'],
    ['C:maj', 'C'],
    ['C', 'C'],
    ['F#:hdim7', 'F#m7b5'],
    ['Bb:sus4', 'Bbsus4'],
    ['C:maj/3', 'C/E'],
    ['A:min/b3', 'Am/C'],
    ['C:min/b3', 'Cm/Eb'],
    ['D:7/b7', 'D7/C'],
    ['E:maj/5', 'E/B'],
    ['C:maj/b7', 'C/Bb'],
    ['A:dim/b5', 'Adim/Eb'],
    ['F#:maj/3', 'F#/A#'],
    ['Gb:7/b7', 'Gb7/E'],
    ['G:min11', 'Gm'],
    ['N', 'N.C.'],
    ['X', 'N.C.'],
  ])('%s is %s', (label, name) => {
    expect(chartName(label)).toBe(name);
  });
});

it('what a chart writes leads back to each quality', () => {
  expect(
    [...HARTE_OF_CHART].filter(([chart, harte]) => chartName(`C:${harte}`) === `C${chart}`),
  ).toHaveLength(18);
});

describe('parseChord', () => {
  it('has the notes of a chord above its root, and its bass', () => {
    expect(parseChord('E:min7/b7')).toMatchObject({
      rootPitchClass: 4,
      intervals: [0, 3, 7, 10],
      bassPitchClass: 2,
    });
  });

  it('has none for what is no chord', () => {
    for (const label of ['N', 'X', '', 'H:maj', 'A:min/x']) expect(parseChord(label)).toBeNull();
  });
});
