/**
 * npm run evaluate -- --corpus DIR [--estimates DIR] [--json FILE] [--per-song] [--classical] [--every N]
 * npm run evaluate -- --corpus DIR --scored DIR --peer NAME [--json FILE]
 *
 * Analyses a corpus and prints the scores and the calibration of the confidences; `--estimates` keeps the answers, in the corpus's own
 * format. With `--scored`, scores the answers of another program (evaluation/peer_estimates.py) for the songs it answered.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModels } from '@earshot/engine/models';
import { analyseFile } from './analyse-file.ts';
import { collectAnswers } from './confidences.ts';
import { readCorpus } from './corpus.ts';
import { toEstimate } from './estimate.ts';
import { type EvaluatedSong, summarizeRun } from './run-summary.ts';
import type { ScoreFile } from './score-file.ts';
import { scoreGenreAndVoice } from './score-genre-and-voice.ts';
import { type Estimate, type Scores, scoreSong } from './score-song.ts';
import { toSongAnswers } from './song-answers.ts';

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
const evaluated = scoredFolder ? scoreEstimates(scoredFolder) : await evaluateEngine();
const file = summarizeRun(basename(resolve(corpusFolder)), ears, evaluated);
printScores(file);
if (options.json) writeFileSync(options.json, `${JSON.stringify(file, roundNumbers, 1)}\n`);

/** Scores the answers of another program. */
function scoreEstimates(folder: string): EvaluatedSong[] {
  return songs.map(({ id, truth }) => {
    const estimate = JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')) as Estimate;
    return { id, truth, scores: scoreSong(truth, estimate), engine: null };
  });
}

async function evaluateEngine(): Promise<EvaluatedSong[]> {
  const models = options.classical ? { beats: null, chords: null, tags: null, voice: null } : loadModels();
  const done: EvaluatedSong[] = [];
  let audioSeconds = 0;
  let cpuSeconds = 0;
  for (const { id, audioPath, truth } of songs) {
    const { result, engineCpuSeconds } = await analyseFile(audioPath, models);
    audioSeconds += result.durationSeconds;
    cpuSeconds += engineCpuSeconds;
    const estimate = toEstimate(result);
    if (options.estimates) writeFileSync(join(options.estimates, `${id}.json`), JSON.stringify(estimate));
    const scores = { ...scoreSong(truth, estimate), ...scoreGenreAndVoice(truth, result) };
    const engine = {
      answers: toSongAnswers(truth, estimate, result),
      rated: collectAnswers(truth, result),
      embedding: result.fingerprint?.embedding ?? null,
      models: result.models,
    };
    done.push({ id, truth, scores, engine });
    if (process.stderr.isTTY) process.stderr.write(`\r${done.length}/${songs.length} ${id}   `);
    if (options['per-song']) console.log(id, formatScores(scores));
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(
    `${(audioSeconds / cpuSeconds).toFixed(0)} seconds of audio per processor second, decoding excluded`,
  );
  return done;
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

/** To four decimals: finer than a corpus of this size can resolve, and short enough to read in a diff. */
function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value;
}

function formatScores(scores: Scores): string {
  return Object.entries(scores)
    .map(([name, value]) => `${name}=${value.toFixed(3)}`)
    .join(' ');
}
