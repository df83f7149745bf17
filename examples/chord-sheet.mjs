/**
 * Prints a chord sheet: the chords of a song bar by bar under its sections, transposed on request.
 *
 *   node examples/chord-sheet.mjs SONG [SEMITONES]      (without a song, the sample song; -2 is two down)
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyzeHere } from './analyze-here.mjs';
import { transpose } from './transpose.mjs';

const SAMPLE = fileURLToPath(new URL('./sample-song/two-doors-down.mp3', import.meta.url));
const BARS_IN_A_LINE = 4;

const [path = SAMPLE, wantedSemitones = '0'] = process.argv.slice(2);
const shiftSemitones = Number(wantedSemitones);
if (!Number.isInteger(shiftSemitones)) throw new Error('SEMITONES is a whole number.');
const [song] = analyzeHere([path]);
if (!song) process.exit(1);
const { bpm, key_notation: key, time_signature: meter, rhythm, tonal, structure } = song.result;
if (rhythm.downbeats.length === 0 || tonal.chords.length === 0) {
  console.log('This has no beat or no harmony to write down.');
  process.exit(1);
}
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
// A short song has no sections.
const sections =
  structure.sections.length > 0
    ? structure.sections
    : [{ label: 'song', start_seconds: 0, end_seconds: Infinity }];
for (const { label, start_seconds, end_seconds } of sections) {
  // A bar belongs to the section it begins in.
  const inside = bars.filter(
    ({ startSeconds }) => startSeconds >= start_seconds && startSeconds < end_seconds,
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
