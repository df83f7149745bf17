/** What a run of the evaluation found, song by song, summarised as a score file. */

import { CONFIDENCE_KINDS, type RatedAnswers } from './confidences.ts';
import { expectedCalibrationError, reliabilityCurve } from './metrics/calibration.ts';
import { rateNeighbours } from './metrics/neighbours.ts';
import type { ScoreFile, SongAnswers } from './score-file.ts';
import { meanScores, type Scores, type Truth } from './score-song.ts';

export type EvaluatedSong = {
  id: string;
  truth: Truth;
  scores: Scores;
  /** Null for another program, of which only the estimates are known. */
  engine: {
    answers: SongAnswers;
    rated: RatedAnswers;
    embedding: readonly number[] | null;
    models: ScoreFile['models'];
  } | null;
};

export function summarizeRun(corpus: string, ears: string, songs: readonly EvaluatedSong[]): ScoreFile {
  const models = songs.flatMap(({ engine }) => engine?.models ?? []);
  const genres = songs.flatMap(({ id, truth }) => (truth.genre ? [[id, truth.genre]] : []));
  const neighbours = rateEmbeddings(songs);
  return {
    corpus,
    ears,
    models: [...new Map(models.map((model) => [model.name, model])).values()],
    means: meanScores(songs.map(({ scores }) => scores)),
    calibration: calibrate(songs),
    songs: Object.fromEntries(songs.map(({ id, scores }) => [id, scores])),
    answers: Object.fromEntries(songs.flatMap(({ id, engine }) => (engine ? [[id, engine.answers]] : []))),
    ...(genres.length > 0 ? { genres: Object.fromEntries(genres) } : {}),
    ...(neighbours ? { neighbours } : {}),
  };
}

function calibrate(songs: readonly EvaluatedSong[]): ScoreFile['calibration'] {
  return Object.fromEntries(
    CONFIDENCE_KINDS.flatMap((kind) => {
      const answers = songs.flatMap(({ engine }) => engine?.rated[kind] ?? []);
      const error = expectedCalibrationError(answers);
      if (error === null) return [];
      const curve = reliabilityCurve(answers);
      return [[kind, { answers: answers.length, expectedCalibrationError: error, curve }]];
    }),
  );
}

/** By recording where the corpus has some recordings in several files, otherwise by genre. */
function rateEmbeddings(songs: readonly EvaluatedSong[]): NonNullable<ScoreFile['neighbours']> | null {
  const of = songs.some(({ truth }) => truth.recording) ? 'recording' : 'genre';
  const labelled = songs.flatMap(({ truth, engine }) => {
    const label = truth[of];
    return label && engine?.embedding ? [{ label, vector: engine.embedding }] : [];
  });
  const rated = rateNeighbours(labelled);
  return rated && { of, ...rated };
}
