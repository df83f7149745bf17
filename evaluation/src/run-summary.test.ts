import { describe, expect, it } from 'vitest';
import { type EvaluatedSong, summarizeRun } from './run-summary.ts';
import type { SongAnswers } from './score-file.ts';
import type { Truth } from './score-song.ts';

const ANSWERS: SongAnswers = {
  tempo: { truthBpm: 120, bpm: 120, confidence: 0.5 },
  key: { truth: null, key: null, confidence: null, tuningHz: null },
};
const BEATS = { name: 'beats', version: '1', sha256: 'abc' };
const VOICE = { name: 'voice', version: '2', sha256: 'def' };

function evaluated(
  id: string,
  embedding: number[] | null,
  truth: Partial<Truth> = {},
  right = true,
): EvaluatedSong {
  return {
    id,
    truth: { id, audio: `${id}.wav`, duration: 30, ...truth },
    scores: { tempo_accuracy_1: Number(right) },
    engine: {
      answers: ANSWERS,
      rated: { tempo: [{ confidence: 0.5, right }], key: [], beats: [], downbeats: [], genre: [] },
      embedding,
      models: id === 'd' ? [BEATS, VOICE] : [BEATS],
    },
  };
}

it('has means, the calibration of what was claimed, each network once, and the genres that are known', () => {
  const songs = [
    evaluated('a', null, { genre: 'pop' }),
    evaluated('b', null),
    evaluated('c', null),
    evaluated('d', null, {}, false),
  ];
  expect(summarizeRun('dev', 'learned', songs)).toEqual({
    corpus: 'dev',
    ears: 'learned',
    models: [BEATS, VOICE],
    means: [{ name: 'tempo_accuracy_1', mean: 0.75, songs: 4 }],
    // Four answers at 0.5, of which three are right.
    calibration: {
      tempo: {
        answers: 4,
        expectedCalibrationError: 0.25,
        curve: [{ count: 4, meanConfidence: 0.5, accuracy: 0.75 }],
      },
    },
    songs: Object.fromEntries(songs.map(({ id, scores }) => [id, scores])),
    answers: { a: ANSWERS, b: ANSWERS, c: ANSWERS, d: ANSWERS },
    genres: { a: 'pop' },
  });
});

it('has neither confidences nor answers of another program', () => {
  const song = { ...evaluated('a', null), engine: null };
  expect(summarizeRun('dev', 'librosa', [song])).toEqual({
    corpus: 'dev',
    ears: 'librosa',
    models: [],
    means: [{ name: 'tempo_accuracy_1', mean: 1, songs: 1 }],
    calibration: {},
    answers: {},
    songs: { a: { tempo_accuracy_1: 1 } },
  });
});

describe('nearest embeddings', () => {
  const vectors = { a: [1, 0], b: [0.9, 0.1], c: [0, 1] };
  const neighboursOf = (truths: Record<string, Partial<Truth>>) =>
    summarizeRun(
      'dev',
      'learned',
      Object.entries(vectors).map(([id, vector]) => evaluated(id, vector, truths[id])),
    ).neighbours;

  it('are compared by genre', () => {
    const genres = { a: { genre: 'pop' }, b: { genre: 'pop' }, c: { genre: 'jazz' } };
    expect(neighboursOf(genres)).toEqual({ of: 'genre', count: 3, alike: 2 / 3 });
  });

  it('are compared by recording where the corpus knows recordings', () => {
    const recordings = { a: { recording: 'x', genre: 'pop' }, b: { recording: 'x' }, c: { genre: 'pop' } };
    expect(neighboursOf(recordings)).toEqual({ of: 'recording', count: 2, alike: 1 });
  });
});
