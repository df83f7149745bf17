/**
 * npm run same-results -- --before CHECKOUT SONG... | FOLDER...
 *
 * Compares the results of this version with those of another, built checkout, song by song, through the command line of each: an
 * optimisation may change the last digits of numbers, and nothing else. Exits with 1 when a result differs by more.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLinePath } from './command-line.ts';
import { listDifferences } from './compare-results.ts';

const AUDIO = /\.(mp3|ogg|wav|flac|m4a|opus)$/i;
const DIFFERENCES_SHOWN_MAX = 5;
/** 256 MB, far above the JSON of an hour of music. */
const RESULT_BYTES_MAX = 2 ** 28;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { before: { type: 'string' } },
});
if (values.before === undefined || positionals.length === 0)
  throw new Error('Try: npm run same-results -- --before CHECKOUT FOLDER');

const songs = positionals.flatMap((path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => AUDIO.test(name))
        .toSorted()
        .map((name) => join(path, name))
    : [path],
);
if (songs.length === 0) throw new Error(`No songs in ${positionals.join(', ')}`);
let differentCount = 0;
for (const song of songs) {
  const differences = listDifferences(analyse(values.before, song), analyse('.', song));
  if (differences.length === 0) continue;
  differentCount++;
  console.log(`${song}: ${differences.length} differences`);
  for (const difference of differences.slice(0, DIFFERENCES_SHOWN_MAX)) console.log(`  ${difference}`);
}
console.log(
  `${songs.length - differentCount} of ${songs.length} songs have the same result up to last digits`,
);
process.exitCode = differentCount === 0 ? 0 : 1;

function analyse(checkout: string, song: string): unknown {
  const json = execFileSync(
    process.execPath,
    [commandLinePath(checkout), 'analyze', '--json', '--no-progress', song],
    {
      encoding: 'utf8',
      maxBuffer: RESULT_BYTES_MAX,
    },
  );
  return JSON.parse(json);
}
