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

describe('HARTE_OF_CHART', () => {
  const QUALITIES = 'maj min 7 maj7 min7 minmaj7 dim dim7 hdim7 sus4 sus2 aug maj6 min6 9 maj9 min9 5'.split(
    ' ',
  );

  it.each(QUALITIES)('leads from what chartName writes back to %s', (quality) => {
    expect(HARTE_OF_CHART.get(chartName(`C:${quality}`).slice('C'.length))).toBe(quality);
  });

  it('knows other spellings', () => {
    const spellings = ['M', '-', 'M7', '-7', '°', 'ø', 'aug'];
    expect(spellings.map((suffix) => HARTE_OF_CHART.get(suffix))).toEqual([
      'maj',
      'min',
      'maj7',
      'min7',
      'dim',
      'hdim7',
      'aug',
    ]);
  });
});

describe('parseChord', () => {
  it('gives the root, the semitones above it and the bass', () => {
    expect(parseChord('E:min7/b7')).toMatchObject({
      rootPitchClass: 4,
      semitones: [0, 3, 7, 10],
      bassPitchClass: 2,
    });
  });

  it.each(['N', 'X', '', 'H:maj', 'A:min/x'])('gives null for %j', (label) => {
    expect(parseChord(label)).toBeNull();
  });
});
