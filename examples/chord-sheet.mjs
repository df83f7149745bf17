/**
 * Prints a chord sheet: the chords of a song bar by bar under its sections, transposed on request.
 *
 *   node examples/chord-sheet.mjs SONG [SEMITONES]      (without a song, the sample song; -2 is two down)
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyzeHere } from './analyze-here.mjs';

const SAMPLE = fileURLToPath(new URL('./sample-song/two-doors-down.mp3', import.meta.url));
const BARS_IN_A_LINE = 4;
/** Sections and downbeats are detected separately and can differ by about this much. */
const BOUNDARY_TOLERANCE_SECONDS = 0.1;
const SHARPS = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
const NATURAL = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

const [path = SAMPLE, wantedSemitones = '0'] = process.argv.slice(2);
const [song] = analyzeHere([path]);
if (!song) process.exit(1);
const { bpm, key_notation: key, time_signature: meter, rhythm, tonal, structure } = song.result;
if (!rhythm?.downbeats.length || !tonal?.chords.length) {
  console.log('This has no beat or no harmony to write down.');
  process.exit(1);
}
const shiftSemitones = Number(wantedSemitones);
console.log(
  [
    basename(path),
    bpm === null ? '' : `${Math.round(bpm)} BPM`,
    meter === null ? '' : `${meter}/4`,
    key === null ? '' : `in ${transpose(key, shiftSemitones)}`,
  ]
    .filter(Boolean)
    .join(', '),
);
const bars = rhythm.downbeats.map(({ time_seconds: startSeconds }, index) => {
  const endSeconds = rhythm.downbeats[index + 1]?.time_seconds ?? song.result.duration_seconds;
  return { startSeconds, chord: chordBetween(startSeconds, endSeconds) };
});
const sections = structure?.sections ?? [{ label: 'song', start_seconds: 0, end_seconds: Infinity }];
for (const { label, start_seconds, end_seconds } of sections) {
  // A bar belongs to the section it begins in.
  const inside = bars.filter(
    ({ startSeconds }) =>
      startSeconds >= start_seconds - BOUNDARY_TOLERANCE_SECONDS &&
      startSeconds < end_seconds - BOUNDARY_TOLERANCE_SECONDS,
  );
  if (inside.length === 0) continue;
  console.log(`\n[${label}]`);
  for (let first = 0; first < inside.length; first += BARS_IN_A_LINE) {
    const line = inside.slice(first, first + BARS_IN_A_LINE).map(({ chord }) => chord.padEnd(5));
    console.log(`| ${line.join(' | ')} |`);
  }
}

/** The chord that sounds longest in this interval, in lead sheet notation; a dot for no chord. */
function chordBetween(fromSeconds, toSeconds) {
  const overlaps = tonal.chords.map(({ start_seconds, end_seconds, label }) => ({
    label,
    seconds: Math.min(toSeconds, end_seconds) - Math.max(fromSeconds, start_seconds),
  }));
  const { label } = overlaps.reduce((most, next) => (next.seconds > most.seconds ? next : most));
  return label === 'N'
    ? '.'
    : transpose(label.replace(/:maj$/, '').replace(/:min$/, 'm').replace(':', ''), shiftSemitones);
}

/** Raises a chord such as "Bbm7" by semitones; the result is written with sharps. */
function transpose(chord, semitones) {
  const [, letter, accidental, rest] = /^([A-G])([#b]?)(.*)$/.exec(chord);
  if (semitones === 0) return chord;
  const pitch = NATURAL[letter] + (accidental === '#' ? 1 : accidental === 'b' ? -1 : 0) + semitones;
  return `${SHARPS[((pitch % 12) + 12) % 12]}${rest}`;
}
