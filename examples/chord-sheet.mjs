/**
 * A sheet to practise from: the chords of a song bar by bar under its sections, transposed if you like.
 *
 *   node examples/chord-sheet.mjs SONG [SEMITONES]      (without a song, the sample song; -2 is two down)
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyzeHere } from './analyze-here.mjs';

const SAMPLE = fileURLToPath(new URL('./sample-song/two-doors-down.mp3', import.meta.url));
const BARS_IN_A_LINE = 4;
const SHARPS = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
const NATURAL = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

const [path = SAMPLE, semitones = '0'] = process.argv.slice(2);
const [song] = analyzeHere([path]);
if (!song) process.exit(1);
const { bpm, key_notation: key, time_signature: meter, rhythm, tonal, structure } = song.result;
if (!rhythm || !tonal || rhythm.downbeats.length === 0) {
  console.log('There is no pulse or no harmony in this to write down.');
  process.exit(1);
}
const shift = Number(semitones);
console.log(
  [
    basename(path),
    bpm === null ? '' : `${Math.round(bpm)} BPM`,
    meter === null ? '' : `${meter}/4`,
    key === null ? '' : `in ${transpose(key, shift)}`,
  ]
    .filter(Boolean)
    .join(', '),
);
const bars = rhythm.downbeats.map(({ time_seconds: start }, index) => {
  const end = rhythm.downbeats[index + 1]?.time_seconds ?? song.result.duration_seconds;
  return { start, chord: chordBetween(start, end) };
});
const sections = structure?.sections ?? [{ label: 'song', start_seconds: 0, end_seconds: Infinity }];
for (const { label, start_seconds: from, end_seconds: to } of sections) {
  // A bar belongs to the section it begins in; boundaries are found to a tenth of a second.
  const inside = bars.filter(({ start }) => start >= from - 0.1 && start < to - 0.1);
  if (inside.length === 0) continue;
  console.log(`\n[${label}]`);
  for (let first = 0; first < inside.length; first += BARS_IN_A_LINE) {
    const line = inside.slice(first, first + BARS_IN_A_LINE).map(({ chord }) => chord.padEnd(5));
    console.log(`| ${line.join(' | ')} |`);
  }
}

/** The chord that sounds longest in this time, in a player's notation; a dot where there is none. */
function chordBetween(start, end) {
  const overlaps = tonal.chords.map(({ start_seconds, end_seconds, label }) => ({
    label,
    seconds: Math.min(end, end_seconds) - Math.max(start, start_seconds),
  }));
  const { label } = overlaps.reduce((most, next) => (next.seconds > most.seconds ? next : most));
  return label === 'N'
    ? '.'
    : transpose(label.replace(/:maj$/, '').replace(/:min$/, 'm').replace(':', ''), shift);
}

/** "Bbm7" up by `by` semitones; flats come out as sharps. */
function transpose(chord, by) {
  const [, letter, accidental, rest] = /^([A-G])([#b]?)(.*)$/.exec(chord);
  if (by === 0) return chord;
  const pitch = NATURAL[letter] + (accidental === '#' ? 1 : accidental === 'b' ? -1 : 0) + by;
  return `${SHARPS[((pitch % 12) + 12) % 12]}${rest}`;
}
