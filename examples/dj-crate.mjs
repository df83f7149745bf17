/**
 * A crate in playing order: each time the song that follows best, by steps between the keys and change of tempo.
 *
 *   node examples/dj-crate.mjs FOLDER      (without a folder, a small crate is made up)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { analyzeHere } from './analyze-here.mjs';
import { writeCrate } from './small-songs.mjs';

const [folder] = process.argv.slice(2);
const demo = folder === undefined ? mkdtempSync(join(tmpdir(), 'earshot-crate-')) : null;
try {
  const songs = analyzeHere(demo === null ? [folder] : writeCrate(demo)).map(({ path, result }) => ({
    name: basename(path),
    bpm: result.bpm,
    camelot: result.camelot,
  }));
  const playable = songs.filter(({ bpm, camelot }) => bpm !== null && camelot !== null);
  for (const { name } of songs.filter((song) => !playable.includes(song)))
    console.log(`${name} has no tempo or key to mix by`);
  printSet(arrange(playable));
} finally {
  if (demo !== null) rmSync(demo, { recursive: true });
}

/** Begins with the slowest. */
function arrange(songs) {
  const waiting = songs.toSorted((a, b) => a.bpm - b.bpm);
  const set = waiting.splice(0, 1);
  while (waiting.length > 0) {
    const costs = waiting.map((song) => costOf(set.at(-1), song));
    set.push(...waiting.splice(costs.indexOf(Math.min(...costs)), 1));
  }
  return set;
}

/** A step on the wheel weighs as much as three percent of tempo: our choice. */
function costOf(from, to) {
  return 3 * keySteps(from.camelot, to.camelot) + Math.abs(tempoChangePercent(from, to));
}

/** Steps on the Camelot wheel: around by fifths, and across between minor (A) and major (B). */
function keySteps(from, to) {
  const around = Math.abs(Number.parseInt(from, 10) - Number.parseInt(to, 10));
  return Math.min(around, 12 - around) + (from.at(-1) === to.at(-1) ? 0 : 1);
}

/** What the second must change to run with the first, at its own, half or double tempo. */
function tempoChangePercent(from, to) {
  const changes = [1, 2, 0.5].map((factor) => (from.bpm / (to.bpm * factor) - 1) * 100);
  return changes.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0];
}

function printSet(set) {
  for (const [index, song] of set.entries()) {
    const before = set[index - 1];
    const how = before ? describeChange(before, song) : 'begins';
    console.log(
      `${String(index + 1).padStart(2)}. ${song.name.padEnd(24)} ${song.bpm.toFixed(1).padStart(6)} BPM  ${song.camelot.padStart(3)}  ${how}`,
    );
  }
}

function describeChange(from, to) {
  const steps = keySteps(from.camelot, to.camelot);
  const keys = steps <= 1 ? 'keys mix' : `${steps} steps apart`;
  return `${formatPercent(tempoChangePercent(from, to))} tempo, ${keys}`;
}

function formatPercent(percent) {
  const rounded = Math.round(percent * 10) / 10;
  return `${rounded >= 0 ? '+' : '-'}${Math.abs(rounded).toFixed(1)} %`;
}
