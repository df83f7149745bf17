/**
 * npm run evaluate -- --corpus DIR [--estimates DIR] [--json FILE] [--per-song] [--classical]
 *
 * Runs the engine over a corpus, writes its answers in the corpus's form, and prints the scores and the calibration of
 * the confidences.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModels } from '@earshot/engine/models';
import { analyseFile } from './analyse-file.ts';
import { type Answers, type ConfidenceKind, collectAnswers } from './confidences.ts';
import { readCorpus } from './corpus.ts';
import { toEstimate } from './estimate.ts';
import { expectedCalibrationError, reliabilityCurve } from './metrics/calibration.ts';
import type { ScoreFile } from './score-file.ts';
import { meanScores, type Scores, scoreSong } from './score-song.ts';
import { toSongAnswers } from './song-answers.ts';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    estimates: { type: 'string' },
    json: { type: 'string' },
    'per-song': { type: 'boolean', default: false },
    classical: { type: 'boolean', default: false },
  },
});
if (!options.corpus) {
  console.error(
    'Usage: npm run evaluate -- --corpus DIR [--estimates DIR] [--json FILE] [--per-song] [--classical]',
  );
  process.exit(2);
}
if (options.estimates) mkdirSync(options.estimates, { recursive: true });

const models = options.classical ? { beats: null, chords: null, tags: null } : loadModels();
const songs = readCorpus(options.corpus);
const rows: Record<string, Scores> = {};
const songAnswers: ScoreFile['answers'] = {};
const answers: Answers = { tempo: [], key: [], beats: [], downbeats: [], chords: [] };
let usedModels: ScoreFile['models'] = [];
let audioSeconds = 0;
let cpuSeconds = 0;

for (const song of songs) {
  const { result, engineCpuSeconds } = await analyseFile(song.audioPath, models);
  audioSeconds += result.durationSeconds;
  cpuSeconds += engineCpuSeconds;
  usedModels = result.models;
  const estimate = toEstimate(result);
  if (options.estimates) writeFileSync(join(options.estimates, `${song.id}.json`), JSON.stringify(estimate));
  const scores = scoreSong(song.truth, estimate);
  rows[song.id] = scores;
  songAnswers[song.id] = toSongAnswers(song.truth, estimate, result);
  for (const [kind, found] of Object.entries(collectAnswers(song.truth, result))) {
    answers[kind as ConfidenceKind].push(...found);
  }
  if (process.stderr.isTTY)
    process.stderr.write(`\r${Object.keys(rows).length}/${songs.length} ${song.id}   `);
  if (options['per-song']) console.log(song.id, formatScores(scores));
}
if (process.stderr.isTTY) process.stderr.write('\n');

const means = meanScores(Object.values(rows));
const calibration: ScoreFile['calibration'] = Object.fromEntries(
  Object.entries(answers)
    .filter(([, list]) => list.length > 0)
    .map(([kind, list]) => [
      kind,
      {
        answers: list.length,
        expectedCalibrationError: expectedCalibrationError(list),
        curve: reliabilityCurve(list),
      },
    ]),
);
console.log(
  `${songs.length} songs of ${options.corpus}, ${options.classical ? 'classical' : 'learned'} ears`,
);
for (const { name, mean, songs: count } of means)
  console.log(`  ${name.padEnd(20)} ${mean.toFixed(3)}  n=${count}`);
for (const [kind, { answers: count, expectedCalibrationError: error }] of Object.entries(calibration)) {
  console.log(`  calibration error of ${kind.padEnd(10)} ${error.toFixed(3)}  n=${count}`);
}
console.log(
  `  ${(audioSeconds / cpuSeconds).toFixed(0)} seconds of audio per processor second, decoding excluded`,
);
if (options.json) {
  const file: ScoreFile = {
    corpus: basename(resolve(options.corpus)),
    ears: options.classical ? 'classical' : 'learned',
    models: usedModels,
    means,
    calibration,
    songs: rows,
    answers: songAnswers,
  };
  writeFileSync(options.json, `${JSON.stringify(file, roundNumbers, 1)}\n`);
}

/** Four digits are more than the corpus can tell apart, and keep the committed file readable. */
function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value;
}

function formatScores(scores: Scores): string {
  return Object.entries(scores)
    .map(([name, value]) => `${name}=${value.toFixed(3)}`)
    .join(' ');
}
