/**
 * npm run evaluate -- --corpus DIR [--estimates DIR] [--json FILE] [--per-song] [--classical] [--every N]
 * npm run evaluate -- --corpus DIR --scored DIR --peer NAME [--json FILE]
 *
 * Runs the engine over a corpus, writes its answers in the corpus's form, and prints the scores and the calibration of
 * the confidences. With `--scored`, scores the answers of another program (evaluation/peer_estimates.py) instead, for the songs that
 * it has answered.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModels } from '@earshot/engine/models';
import { analyseFile } from './analyse-file.ts';
import { type Answers, type ConfidenceKind, collectAnswers } from './confidences.ts';
import { readCorpus } from './corpus.ts';
import { toEstimate } from './estimate.ts';
import { expectedCalibrationError, reliabilityCurve } from './metrics/calibration.ts';
import { rateNeighbours } from './metrics/neighbours.ts';
import type { ScoreFile } from './score-file.ts';
import { scoreGenreAndVoice } from './score-genre-and-voice.ts';
import { type Estimate, meanScores, type Scores, scoreSong, type Truth } from './score-song.ts';
import { toSongAnswers } from './song-answers.ts';

type Embedding = { truth: Truth; vector: number[] };

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    estimates: { type: 'string' },
    json: { type: 'string' },
    'per-song': { type: 'boolean', default: false },
    classical: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    scored: { type: 'string' },
    peer: { type: 'string' },
  },
});
const every = Number(options.every);
if (
  !options.corpus ||
  !Number.isInteger(every) ||
  every < 1 ||
  Boolean(options.scored) !== Boolean(options.peer)
) {
  console.error(
    'Usage: npm run evaluate -- --corpus DIR [--estimates DIR | --scored DIR --peer NAME] [--json FILE] [--per-song] [--classical] [--every N]',
  );
  process.exit(2);
}
if (options.estimates) mkdirSync(options.estimates, { recursive: true });

const corpusFolder = options.corpus;
const scoredFolder = options.scored;
const songs = readCorpus(corpusFolder)
  .filter((_, index) => index % every === 0)
  .filter(({ id }) => !scoredFolder || existsSync(join(scoredFolder, `${id}.json`)));
if (songs.length === 0) {
  console.error(`No songs in ${corpusFolder}${scoredFolder ? ` with an answer in ${scoredFolder}` : ''}`);
  process.exit(1);
}
const ears = options.peer ?? (options.classical ? 'classical' : 'learned');
const file = scoredFolder ? scoreEstimates(scoredFolder) : await evaluateEngine();
printScores(file);
if (options.json) writeFileSync(options.json, `${JSON.stringify(file, roundNumbers, 1)}\n`);

/** Scores the answers of another program. */
function scoreEstimates(folder: string): ScoreFile {
  const rows = Object.fromEntries(
    songs.map(({ id, truth }) => {
      const text = readFileSync(join(folder, `${id}.json`), 'utf8');
      return [id, scoreSong(truth, JSON.parse(text) as Estimate)];
    }),
  );
  return toScoreFile(rows, { models: [], calibration: {}, answers: {} });
}

/** Analyses every song, and scores the answers and their confidences. */
async function evaluateEngine(): Promise<ScoreFile> {
  const models = options.classical ? { beats: null, chords: null, tags: null, voice: null } : loadModels();
  const rows: Record<string, Scores> = {};
  const embeddings: Embedding[] = [];
  const songAnswers: ScoreFile['answers'] = {};
  const answers: Answers = { tempo: [], key: [], beats: [], downbeats: [], genre: [] };
  const usedModels = new Map<string, ScoreFile['models'][number]>();
  let audioSeconds = 0;
  let cpuSeconds = 0;
  for (const { id, audioPath, truth } of songs) {
    const { result, engineCpuSeconds } = await analyseFile(audioPath, models);
    audioSeconds += result.durationSeconds;
    cpuSeconds += engineCpuSeconds;
    for (const model of result.models) usedModels.set(model.name, model);
    const estimate = toEstimate(result);
    if (options.estimates) writeFileSync(join(options.estimates, `${id}.json`), JSON.stringify(estimate));
    const scores = { ...scoreSong(truth, estimate), ...scoreGenreAndVoice(truth, result) };
    rows[id] = scores;
    const vector = result.fingerprint?.embedding;
    if (vector) embeddings.push({ truth, vector });
    songAnswers[id] = toSongAnswers(truth, estimate, result);
    for (const [kind, found] of Object.entries(collectAnswers(truth, result)))
      answers[kind as ConfidenceKind].push(...found);
    if (process.stderr.isTTY) process.stderr.write(`\r${Object.keys(rows).length}/${songs.length} ${id}   `);
    if (options['per-song']) console.log(id, formatScores(scores));
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(
    `${(audioSeconds / cpuSeconds).toFixed(0)} seconds of audio per processor second, decoding excluded`,
  );
  const neighbours = findNeighbours(embeddings);
  return toScoreFile(rows, {
    models: [...usedModels.values()],
    calibration: calibrate(answers),
    answers: songAnswers,
    ...(neighbours ? { neighbours } : {}),
  });
}

/** `own`: the parts that only the engine's answers have. */
function toScoreFile(
  rows: Record<string, Scores>,
  own: Pick<ScoreFile, 'models' | 'calibration' | 'answers' | 'neighbours'>,
): ScoreFile {
  const { models, calibration, answers, neighbours } = own;
  const genres = Object.fromEntries(
    songs.flatMap(({ id, truth }) => (truth.genre ? [[id, truth.genre]] : [])),
  );
  return {
    corpus: basename(resolve(corpusFolder)),
    ears,
    models,
    means: meanScores(Object.values(rows)),
    calibration,
    songs: rows,
    answers,
    ...(Object.keys(genres).length > 0 ? { genres } : {}),
    ...(neighbours ? { neighbours } : {}),
  };
}

function calibrate(answers: Answers): ScoreFile['calibration'] {
  return Object.fromEntries(
    Object.entries(answers).flatMap(([kind, list]) => {
      const error = expectedCalibrationError(list);
      if (error === null) return [];
      return [
        [kind, { answers: list.length, expectedCalibrationError: error, curve: reliabilityCurve(list) }],
      ];
    }),
  );
}

/** Compares labels of nearest embeddings: the recording where the corpus has some in several files, else the genre. */
function findNeighbours(embeddings: readonly Embedding[]): ScoreFile['neighbours'] {
  const of = embeddings.some(({ truth }) => truth.recording) ? 'recording' : 'genre';
  const labelled = embeddings.flatMap(({ truth, vector }) =>
    truth[of] ? [{ label: truth[of], vector }] : [],
  );
  const rated = rateNeighbours(labelled);
  return rated ? { of, ...rated } : undefined;
}

function printScores({ means, calibration, neighbours }: ScoreFile): void {
  console.log(`${songs.length} songs of ${corpusFolder}, ${ears} ears`);
  for (const { name, mean, songs: count } of means)
    console.log(`  ${name.padEnd(20)} ${mean.toFixed(3)}  n=${count}`);
  for (const [kind, { answers: count, expectedCalibrationError: error }] of Object.entries(calibration))
    console.log(`  calibration error of ${kind.padEnd(10)} ${error.toFixed(3)}  n=${count}`);
  if (!neighbours) return;
  const { of, alike, count } = neighbours;
  console.log(`  nearest has the same ${of.padEnd(9)} ${alike.toFixed(3)}  n=${count}`);
}

/** To four decimals: finer than a corpus of this size can measure, and short enough to read in a commit. */
function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value;
}

function formatScores(scores: Scores): string {
  return Object.entries(scores)
    .map(([name, value]) => `${name}=${value.toFixed(3)}`)
    .join(' ');
}
