import type { AnalysisResult } from '@earshot/engine';
import { expect, it } from 'vitest';
import { collectAnswers } from './confidences.ts';
import type { Truth } from './score-song.ts';

const event = (timeSeconds: number, confidence: number) => ({ timeSeconds, confidence });
const RESULT = {
  rhythm: {
    bpm: 121,
    confidence: 0.7,
    beats: [event(9.74, 0.1), event(10.069, 0.8), event(10.571, 0.6), event(11.24, 0.2), event(11.26, 0.1)],
    downbeats: [event(10.05, 0.9)],
  },
  tonal: { key: 'A', scale: 'minor', confidence: 0.4 },
  tags: { genres: [{ label: 'hip-hop', confidence: 0.5, spans: [] }] },
} as unknown as AnalysisResult;
const TRUTH: Truth = {
  id: 'song',
  audio: 'song.wav',
  duration: 30,
  tempo_bpm: 120,
  beats: [10, 10.5, 11],
  downbeats: [10],
  key: 'C',
  genre: 'hiphop',
};

it('rates every answer, and beats only within the annotation', () => {
  expect(collectAnswers(TRUTH, RESULT)).toEqual({
    tempo: [{ confidence: 0.7, right: true }],
    key: [{ confidence: 0.4, right: false }],
    // Beats within a quarter of a second of the annotation's ends are rated; 69 ms off is right, 71 ms is not.
    beats: [
      { confidence: 0.8, right: true },
      { confidence: 0.6, right: false },
      { confidence: 0.2, right: false },
    ],
    // A single downbeat does not tell how much of the file is annotated.
    downbeats: [],
    genre: [{ confidence: 0.5, right: true }],
  });
});

it.each([
  ['A:min', true],
  // The relative and the parallel key, and a fifth, which the score of keys counts in part.
  ['C', false],
  ['A', false],
  ['E:min', false],
])('rates the key A minor where %s is annotated', (key, right) => {
  expect(collectAnswers({ ...TRUTH, key }, RESULT).key).toEqual([{ confidence: 0.4, right }]);
});

it('rates downbeats within their own annotation', () => {
  const downbeats = [
    event(9.7, 0.1),
    event(10.05, 0.9),
    event(10.5, 0.3),
    event(12.1, 0.7),
    event(12.3, 0.1),
  ];
  const result = { ...RESULT, rhythm: { ...RESULT.rhythm!, downbeats } };
  expect(collectAnswers({ ...TRUTH, downbeats: [10, 12] }, result).downbeats).toEqual([
    { confidence: 0.9, right: true },
    { confidence: 0.3, right: false },
    { confidence: 0.7, right: false },
  ]);
});

it('rates nothing without an annotation, or without an answer', () => {
  const none = { tempo: [], key: [], beats: [], downbeats: [], genre: [] };
  expect(collectAnswers({ id: 'song', audio: 'song.wav', duration: 30 }, RESULT)).toEqual(none);
  const silent = { rhythm: null, tonal: null, tags: null } as unknown as AnalysisResult;
  expect(collectAnswers(TRUTH, silent)).toEqual(none);
});
