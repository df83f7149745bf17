/**
 * Composes "Two Doors Down", the sample song, as a MIDI file. Its tempo, key, chords and form are known by
 * construction. Rendered with the General MIDI instruments of FluidR3 (MIT, Debian's fluid-soundfont-gm); free to use (CC0).
 *
 *   node examples/sample-song/two-doors-down.mjs song.mid
 *   fluidsynth -ni -g 0.6 -r 44100 -F song.wav /usr/share/sounds/sf2/FluidR3_GM.sf2 song.mid
 *   ffmpeg -i song.wav -af adelay=250:all=1,volume=1.8dB -b:a 128k -map_metadata -1 -metadata title="Two Doors Down" \
 *     -metadata artist=Earshot -metadata album="Sample songs" two-doors-down.mp3
 */
import { HOLD, Song, TICKS_PER_BEAT } from './midi-song.mjs';

const EIGHTH_TICKS = TICKS_PER_BEAT / 2;
const BAR_TICKS = 4 * TICKS_PER_BEAT;
/** Drum samples ring out regardless of the note's length. */
const DRUM_TICKS = 60;

/** As MIDI pitches. */
const [G, C, D, EM, AM] = [
  [67, 71, 74],
  [60, 64, 67],
  [62, 66, 69],
  [64, 67, 71],
  [69, 72, 76],
];

/** In G major throughout: one chord and eight melody steps per bar. */
const VERSE = {
  name: 'verse',
  chords: [EM, C, G, D, EM, C, G, D],
  melody: [
    [71, HOLD, 71, 74, HOLD, 71, 69, 67],
    [67, HOLD, 64, HOLD, 67, 69, 67, HOLD],
    [71, HOLD, 71, 74, HOLD, 71, 69, 67],
    [69, HOLD, HOLD, HOLD, 66, HOLD, null, null],
    [71, HOLD, 71, 74, HOLD, 76, 74, 71],
    [72, HOLD, 71, 67, HOLD, 64, 67, HOLD],
    [71, HOLD, 69, 67, HOLD, 69, 71, HOLD],
    [69, HOLD, HOLD, HOLD, HOLD, HOLD, null, null],
  ],
};
const CHORUS = {
  name: 'chorus',
  chords: [G, D, AM, C, G, D, AM, C],
  melody: [
    [79, HOLD, HOLD, 78, 79, HOLD, 83, HOLD],
    [81, HOLD, HOLD, 78, 74, HOLD, HOLD, HOLD],
    [76, HOLD, 76, 76, 81, HOLD, 79, 76],
    [79, HOLD, HOLD, HOLD, 76, HOLD, 74, HOLD],
    [79, HOLD, HOLD, 78, 79, HOLD, 83, HOLD],
    [86, HOLD, HOLD, 83, 81, HOLD, 78, HOLD],
    [76, HOLD, 79, HOLD, 84, HOLD, 83, 81],
    [79, HOLD, HOLD, HOLD, HOLD, HOLD, null, null],
  ],
};
const INTRO = { name: 'intro', chords: [EM, C, G, D], melody: [] };
const OUTRO = { name: 'outro', chords: [EM, C, D, G], melody: [] };
const FORM = [INTRO, VERSE, CHORUS, VERSE, CHORUS, OUTRO];

/** General MIDI programs, counted from 0; channel 9 is the drum kit. */
const PIANO = { channel: 0, program: 4, pan: 50, volume: 96 };
const BASS = { channel: 1, program: 33, pan: 64, volume: 104 };
const LEAD = { channel: 2, program: 66, pan: 60, volume: 100 };
const GUITAR = { channel: 3, program: 29, pan: 88, volume: 70 };
const STRINGS = { channel: 4, program: 48, pan: 44, volume: 78 };
const STEEL_GUITAR = { channel: 5, program: 25, pan: 84, volume: 88 };
const DRUMS = { channel: 9, pan: 64, volume: 108 };
const [KICK, RIM, SNARE, CLOSED_HAT, OPEN_HAT, CRASH, RIDE, LOW_TOM, HIGH_TOM] = [
  36, 37, 38, 42, 46, 49, 51, 45, 50,
];

const song = new Song(112);
for (const part of [PIANO, BASS, LEAD, GUITAR, STRINGS, STEEL_GUITAR, DRUMS]) song.addPart(part);
const play = song.play.bind(song);

let bar = 0;
for (const section of FORM) {
  section.chords.forEach((chord, index) => {
    playBar(bar * BAR_TICKS, section, chord, index);
    bar++;
  });
}
play(PIANO, bar * BAR_TICKS, BAR_TICKS, 43, 70);
for (const note of G) play(PIANO, bar * BAR_TICKS, BAR_TICKS, note - 12, 66);
song.write(process.argv[2] ?? 'two-doors-down.mid');

function playBar(startTick, section, chord, index) {
  const last = index === section.chords.length - 1;
  if (section.name === 'chorus') {
    playChorusBar(startTick, chord, index, last);
  } else {
    playQuietBar(startTick, section, chord, index, last);
  }
  const players =
    section.name === 'chorus'
      ? [
          { part: LEAD, share: 0.94, velocity: 104 },
          { part: STRINGS, share: 1, velocity: 72 },
        ]
      : [{ part: LEAD, share: 0.94, velocity: 84 }];
  song.playMelody(players, startTick, EIGHTH_TICKS, section.melody[index] ?? []);
}

/** Broken chords on the electric piano; a closed hi-hat in the second half of the intro; strummed guitar, bass and light drums in the verse. */
function playQuietBar(startTick, section, chord, index, last) {
  const pattern = [0, 1, 2, 1, 0, 1, 2, 1];
  pattern.forEach((voice, step) => {
    play(PIANO, startTick + step * EIGHTH_TICKS, 1.6 * EIGHTH_TICKS, chord[voice], step === 0 ? 76 : 62);
  });
  if (section.name === 'outro') return;
  if (section.name === 'intro') {
    if (index >= 2)
      for (let step = 0; step < 8; step += 2)
        play(DRUMS, startTick + step * EIGHTH_TICKS, DRUM_TICKS, CLOSED_HAT, 60);
    return;
  }
  for (const step of [2, 6]) {
    for (const note of chord) play(STEEL_GUITAR, startTick + step * EIGHTH_TICKS, EIGHTH_TICKS, note, 66);
  }
  playBass(startTick, chord, [0, 3, 4, 7], 84);
  for (let step = 0; step < 8; step++)
    play(DRUMS, startTick + step * EIGHTH_TICKS, DRUM_TICKS, CLOSED_HAT, step % 2 ? 46 : 64);
  for (const step of [0, 4]) play(DRUMS, startTick + step * EIGHTH_TICKS, DRUM_TICKS, KICK, 96);
  for (const step of [2, 6]) play(DRUMS, startTick + step * EIGHTH_TICKS, DRUM_TICKS, RIM, 92);
  if (last)
    for (const [step, drum] of [
      [6, HIGH_TOM],
      [6.5, HIGH_TOM],
      [7, LOW_TOM],
      [7.5, LOW_TOM],
    ])
      play(DRUMS, startTick + step * EIGHTH_TICKS, DRUM_TICKS, drum, 104);
}

/** Overdriven guitar, strings, driving bass and full drums. */
function playChorusBar(startTick, chord, index, last) {
  const root = 36 + (chord[0] % 12);
  for (let step = 0; step < 8; step++) {
    for (const note of [root + 12, root + 19])
      play(GUITAR, startTick + step * EIGHTH_TICKS, EIGHTH_TICKS * 0.9, note, step % 4 ? 84 : 100);
  }
  for (const note of chord) play(STRINGS, startTick, BAR_TICKS * 0.98, note, 74);
  for (let beat = 0; beat < 4; beat++) {
    for (const note of chord) play(PIANO, startTick + beat * TICKS_PER_BEAT, TICKS_PER_BEAT * 0.9, note, 78);
  }
  playBass(startTick, chord, [0, 1, 2, 3, 4, 5, 6, 7], 104);
  if (index % 4 === 0) play(DRUMS, startTick, DRUM_TICKS, CRASH, 112);
  for (let step = 0; step < 8; step++)
    play(
      DRUMS,
      startTick + step * EIGHTH_TICKS,
      DRUM_TICKS,
      step === 7 && index % 2 ? OPEN_HAT : RIDE,
      step % 2 ? 74 : 96,
    );
  for (const step of [0, 3, 4]) play(DRUMS, startTick + step * EIGHTH_TICKS, DRUM_TICKS, KICK, 116);
  for (const step of last ? [2, 6, 6.5, 7, 7.5] : [2, 6])
    play(DRUMS, startTick + step * EIGHTH_TICKS, DRUM_TICKS, SNARE, 114);
}

function playBass(startTick, chord, steps, velocity) {
  const root = 24 + (chord[0] % 12) + (chord[0] % 12 < 4 ? 12 : 0);
  steps.forEach((step, index) => {
    const next = steps[index + 1] ?? 8;
    play(
      BASS,
      startTick + step * EIGHTH_TICKS,
      (next - step) * EIGHTH_TICKS * 0.92,
      step === 7 ? root + 7 : root,
      velocity,
    );
  });
}
