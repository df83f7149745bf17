import type { AnalysisResult } from '@earshot/engine';
import { expect, it } from 'vitest';
import { collectAnswers } from './confidences.ts';
import type { Truth } from './score-song.ts';

const event = (timeSeconds: number, confidence: number) => ({ timeSeconds, confidence });
const RESULT = {
  rhythm: {
    bpm: 121,
    confidence: 0.7,
    beats: [event(9.7, 0.1), event(10.05, 0.8), event(10.6, 0.6), event(11.2, 0.2), event(11.3, 0.1)],
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

it('each answer is right or wrong, beats only where the annotation reaches', () => {
  expect(collectAnswers(TRUTH, RESULT)).toEqual({
    tempo: [{ confidence: 0.7, right: true }],
    key: [{ confidence: 0.4, right: false }],
    // A quarter of a second beyond the ends still counts; 70 ms is right, 100 is not.
    beats: [
      { confidence: 0.8, right: true },
      { confidence: 0.6, right: false },
      { confidence: 0.2, right: false },
    ],
    // One downbeat does not say how far an annotation reaches.
    downbeats: [],
    genre: [{ confidence: 0.5, right: true }],
  });
});

it('nothing is right or wrong that nobody knows or nobody said', () => {
  const none = { tempo: [], key: [], beats: [], downbeats: [], genre: [] };
  expect(collectAnswers({ id: 'song', audio: 'song.wav', duration: 30 }, RESULT)).toEqual(none);
  const silent = { rhythm: null, tonal: null, tags: null } as unknown as AnalysisResult;
  expect(collectAnswers(TRUTH, silent)).toEqual(none);
});
