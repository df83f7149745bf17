/**
 * "Night Bus", a sample song for the library: house at 124 BPM in A minor. Rendered with the commands in two-doors-down.mjs; CC0.
 *
 *   node examples/sample-song/night-bus.mjs song.mid
 */
import { Song, TICKS_PER_BEAT } from './midi-song.mjs';

const BAR_TICKS = 4 * TICKS_PER_BEAT;
const SIXTEENTH_TICKS = TICKS_PER_BEAT / 4;
/** Drum samples ring out regardless of the note's length. */
const DRUM_TICKS = 60;
/** A minor, F, C and G as MIDI pitches, one bar each. */
const CHORDS = [
  [57, 60, 64],
  [53, 57, 60],
  [60, 64, 67],
  [55, 59, 62],
];
const BASS = { channel: 0, program: 38, pan: 64, volume: 104 };
const PAD = { channel: 1, program: 89, pan: 50, volume: 84 };
const PLUCK = { channel: 2, program: 81, pan: 80, volume: 70 };
const DRUMS = { channel: 9, pan: 64, volume: 116 };
const [KICK, CLAP, CLOSED_HAT, OPEN_HAT, CRASH] = [36, 39, 42, 46, 49];
/** The instruments of each section of four bars. */
const SECTIONS = [
  ['drums'],
  ['drums', 'bass'],
  ['drums', 'bass', 'pad', 'pluck'],
  ['pad'],
  ['drums', 'bass', 'pad', 'pluck'],
  ['drums', 'bass'],
];

const song = new Song(124);
for (const part of [BASS, PAD, PLUCK, DRUMS]) song.addPart(part);
const play = song.play.bind(song);

SECTIONS.forEach((sounds, sectionIndex) => {
  CHORDS.forEach((chord, index) => {
    const startTick = (sectionIndex * CHORDS.length + index) * BAR_TICKS;
    if (sounds.includes('drums')) playDrums(startTick, index === 0);
    if (sounds.includes('bass')) {
      for (const step of [2, 6, 10, 14, 15])
        play(
          BASS,
          startTick + step * SIXTEENTH_TICKS,
          1.6 * SIXTEENTH_TICKS,
          (chord[0] % 12) + 33 - (chord[0] % 12 > 6 ? 12 : 0),
          104,
        );
    }
    if (sounds.includes('pad')) for (const note of chord) play(PAD, startTick, BAR_TICKS * 0.97, note, 78);
    if (sounds.includes('pluck')) {
      [0, 2, 1, 2, 0, 1, 2, 1].forEach((voice, step) => {
        play(
          PLUCK,
          startTick + step * 2 * SIXTEENTH_TICKS,
          SIXTEENTH_TICKS * 1.5,
          chord[voice] + 12,
          step % 2 ? 70 : 88,
        );
      });
    }
  });
});
song.write(process.argv[2] ?? 'night-bus.mid');

function playDrums(startTick, first) {
  if (first) play(DRUMS, startTick, DRUM_TICKS, CRASH, 90);
  for (let beat = 0; beat < 4; beat++) {
    const beatTick = startTick + beat * TICKS_PER_BEAT;
    play(DRUMS, beatTick, DRUM_TICKS, KICK, 120);
    if (beat % 2) play(DRUMS, beatTick, DRUM_TICKS, CLAP, 104);
    play(DRUMS, beatTick + 2 * SIXTEENTH_TICKS, DRUM_TICKS, OPEN_HAT, 84);
    for (const step of [1, 3]) play(DRUMS, beatTick + step * SIXTEENTH_TICKS, DRUM_TICKS, CLOSED_HAT, 60);
  }
}
