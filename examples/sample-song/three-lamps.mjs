/**
 * "Three Lamps", a sample song for the library: a waltz at 132 BPM in D minor. Played as two-doors-down.mjs says; CC0.
 *
 *   node examples/sample-song/three-lamps.mjs song.mid
 */
import { Song, TICKS_PER_BEAT } from './midi-song.mjs';

const BAR = 3 * TICKS_PER_BEAT;
const DM = [62, 65, 69];
const GM = [62, 67, 70];
const A = [61, 64, 69];
const BB = [62, 65, 70];
const F = [60, 65, 69];
const C = [60, 64, 67];
const ROOTS = new Map([
  [DM, 38],
  [GM, 43],
  [A, 45],
  [BB, 46],
  [F, 41],
  [C, 48],
]);
/** A bar each; a melody has a note a beat, `-1` holds the one before. */
const FIRST = {
  chords: [DM, DM, GM, GM, A, A, DM, DM],
  melody: [
    [74, 77, 81],
    [81, 79, 77],
    [79, 82, 79],
    [77, 76, 74],
    [76, 73, 76],
    [79, 77, 76],
    [74, -1, -1],
    [74, -1, 0],
  ],
};
const SECOND = {
  chords: [BB, BB, F, F, C, C, A, A],
  melody: [
    [86, -1, 82],
    [81, 82, 86],
    [84, -1, 81],
    [77, 81, 84],
    [84, 82, 79],
    [76, 79, 82],
    [81, -1, 79],
    [76, -1, 73],
  ],
};
const FORM = [FIRST, SECOND, FIRST];

const PIANO = { channel: 0, program: 0, pan: 56, volume: 104 };
const CELLO = { channel: 1, program: 42, pan: 76, volume: 88 };
const VIOLIN = { channel: 2, program: 40, pan: 50, volume: 92 };

const song = new Song(132);
for (const part of [PIANO, CELLO, VIOLIN]) song.addPart(part);
const play = song.play.bind(song);

let bar = 0;
FORM.forEach((part, round) => {
  part.chords.forEach((chord, index) => {
    const at = bar * BAR;
    play(PIANO, at, TICKS_PER_BEAT, ROOTS.get(chord), 96);
    play(CELLO, at, BAR * 0.95, ROOTS.get(chord) + 12, 80);
    for (const beat of [1, 2]) {
      for (const note of chord) play(PIANO, at + beat * TICKS_PER_BEAT, TICKS_PER_BEAT * 0.8, note, 64);
    }
    playMelody(at, part.melody[index], round === 0 ? PIANO : VIOLIN);
    bar++;
  });
});
for (const note of [38, ...DM]) play(PIANO, bar * BAR, 2 * BAR, note, 70);
song.write(process.argv[2] ?? 'three-lamps.mid');

function playMelody(at, notes, part) {
  notes.forEach((note, beat) => {
    if (note <= 0) return;
    let held = 1;
    while (notes[beat + held] === -1) held++;
    play(part, at + beat * TICKS_PER_BEAT, held * TICKS_PER_BEAT * 0.95, note, 92);
  });
}
