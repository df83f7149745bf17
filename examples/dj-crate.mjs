/**
 * Puts a crate into playing order: each song is followed by the one that mixes best, by key and tempo.
 *
 *   node examples/dj-crate.mjs FOLDER      (without a folder, a small crate is synthesised)
 */
import { basename } from 'node:path';
import { analyzeFolder } from './analyze-here.mjs';
import { keySteps, orderSongs, tempoChangePercent } from './playing-order.mjs';

const [folder] = process.argv.slice(2);
const songs = analyzeFolder(folder).map(({ path, result }) => ({
  name: basename(path),
  bpm: result.bpm,
  camelot: result.camelot,
}));
const isPlayable = ({ bpm, camelot }) => bpm !== null && camelot !== null;
for (const { name } of songs.filter((song) => !isPlayable(song)))
  console.log(`${name} has no tempo or key to mix by`);
printSet(orderSongs(songs.filter(isPlayable)));

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
