/**
 * "Three Lamps", a sample song for the library: a waltz at 132 BPM in D minor. Rendered with the commands in two-doors-down.mjs; CC0.
 *
 *   node examples/sample-song/three-lamps.mjs song.mid
 */
import { HOLD, Song, TICKS_PER_BEAT } from './midi-song.mjs';

const BAR_TICKS = 3 * TICKS_PER_BEAT;
/** The notes of each chord, and its root in the bass, as MIDI pitches. */
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
/** Per bar, a chord and three beats of melody. */
const FIRST = {
  chords: [DM, DM, GM, GM, A, A, DM, DM],
  melody: [
    [74, 77, 81],
    [81, 79, 77],
    [79, 82, 79],
    [77, 76, 74],
    [76, 73, 76],
    [79, 77, 76],
    [74, HOLD, HOLD],
    [74, HOLD, null],
  ],
};
const SECOND = {
  chords: [BB, BB, F, F, C, C, A, A],
  melody: [
    [86, HOLD, 82],
    [81, 82, 86],
    [84, HOLD, 81],
    [77, 81, 84],
    [84, 82, 79],
    [76, 79, 82],
    [81, HOLD, 79],
    [76, HOLD, 73],
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
FORM.forEach((section, round) => {
  section.chords.forEach((chord, index) => {
    const startTick = bar * BAR_TICKS;
    play(PIANO, startTick, TICKS_PER_BEAT, ROOTS.get(chord), 96);
    play(CELLO, startTick, BAR_TICKS * 0.95, ROOTS.get(chord) + 12, 80);
    for (const beat of [1, 2]) {
      for (const note of chord)
        play(PIANO, startTick + beat * TICKS_PER_BEAT, TICKS_PER_BEAT * 0.8, note, 64);
    }
    const player = { part: round === 0 ? PIANO : VIOLIN, share: 0.95, velocity: 92 };
    song.playMelody([player], startTick, TICKS_PER_BEAT, section.melody[index]);
    bar++;
  });
});
for (const note of [38, ...DM]) play(PIANO, bar * BAR_TICKS, 2 * BAR_TICKS, note, 70);
song.write(process.argv[2] ?? 'three-lamps.mid');
