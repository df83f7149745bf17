import type { AnalysisResult } from '@earshot/engine';
import { expect, it } from 'vitest';
import { formatAnswers, toSongAnswers } from './song-answers.ts';

const tempo = (truthBpm: number | null, bpm: number | null, confidence: number | null) => ({
  truthBpm,
  bpm,
  confidence,
});
const NO_KEY = { truth: null, key: null, confidence: null, tuningHz: null };

it.each([
  [tempo(120, 121, 0.9), '120.0 | 121.0 at 0.90 | right'],
  [tempo(120, 60, 0.74), '120.0 | 60.0 at 0.74 | another level, said to be uncertain'],
  [tempo(120, 60, 0.75), '120.0 | 60.0 at 0.75 | **another level, and sure**'],
  [tempo(120, 90, null), '120.0 | 90.0 at – | wrong, said to be uncertain'],
  [tempo(120, null, null), '120.0 | none | abstains'],
  [tempo(null, 90, 0.5), '– | 90.0 at 0.50 | –'],
])('tempo %j is "%s"', (given, cells) => {
  expect(formatAnswers('song', { tempo: given, key: NO_KEY })).toBe(`| song | ${cells} | – | none | – |`);
});

it.each([
  [
    { truth: 'A:min', key: 'A:min', confidence: 0.9, tuningHz: 440 },
    'A:min | A:min at 0.90 (A at 440 Hz) | right',
  ],
  [
    { truth: 'C', key: 'G:maj', confidence: 0.8, tuningHz: null },
    'C | G:maj at 0.80 | **not the label, and sure**',
  ],
  [{ truth: 'C', key: null, confidence: null, tuningHz: null }, 'C | none | abstains'],
])('key %j is "%s"', (key, cells) => {
  expect(formatAnswers('song', { tempo: tempo(null, null, null), key })).toBe(
    `| song | – | none | – | ${cells} |`,
  );
});

it('puts the truth beside the answer and its confidence, and null where either is missing', () => {
  const song = { id: 'song', audio: 'song.wav', duration: 30 };
  const nothing = { beats: [], downbeats: [], time_signature: null, chords: [], sections: [] };
  const result = {
    rhythm: { confidence: 0.8 },
    tonal: { confidence: 0.6, tuningHz: 442 },
    tags: null,
    content: null,
  } as unknown as AnalysisResult;
  const estimate = { ...nothing, tempo_bpm: 121, key: 'A:min' };
  expect(toSongAnswers({ ...song, tempo_bpm: 120, key: 'C' }, estimate, result)).toEqual({
    tempo: { truthBpm: 120, bpm: 121, confidence: 0.8 },
    key: { truth: 'C', key: 'A:min', confidence: 0.6, tuningHz: 442 },
  });
  const silence = { rhythm: null, tonal: null, tags: null, content: null } as unknown as AnalysisResult;
  expect(toSongAnswers(song, { ...nothing, tempo_bpm: null, key: null }, silence)).toEqual({
    tempo: { truthBpm: null, bpm: null, confidence: null },
    key: NO_KEY,
  });
});
