/**
 * Composes and plays "Two Doors Down", the sample song: everything in it is made here, so its tempo, key, chords and form
 * are known exactly and anyone may use it (CC0).
 *
 *   node examples/sample-song/compose.mjs out.wav
 *   ffmpeg -i out.wav -codec:a libmp3lame -b:a 160k examples/sample-song/two-doors-down.mp3
 */
import { writeFileSync } from 'node:fs';

const SAMPLE_RATE_HZ = 44_100;
const TEMPO_BPM = 112;
const BEAT_SECONDS = 60 / TEMPO_BPM;
const BAR_SECONDS = 4 * BEAT_SECONDS;
const LEAD_IN_SECONDS = 0.25;

const NOTE = { C: 0, D: 2, E: 4, F: 5, 'F#': 6, G: 7, A: 9, B: 11 };
const chord = (root, third, fifth) => [NOTE[root], NOTE[third], NOTE[fifth]];
const G = chord('G', 'B', 'D');
const C = chord('C', 'E', 'G');
const D = chord('D', 'F#', 'A');
const Em = chord('E', 'G', 'B');
const Am = chord('A', 'C', 'E');

/** G major throughout. Each chord lasts one bar. `melody`: scale degrees as MIDI notes per eighth, 0 is a rest. */
const VERSE = {
  name: 'verse',
  bars: [Em, C, G, D],
  melody: [
    71, 0, 71, 74, 0, 71, 69, 67, 67, 0, 64, 0, 67, 69, 67, 0, 71, 0, 71, 74, 0, 71, 69, 67, 69, 0, 66, 0, 62,
    0, 64, 66,
  ],
};
const CHORUS = {
  name: 'chorus',
  bars: [G, D, Am, C],
  melody: [
    79, 0, 78, 79, 0, 74, 0, 71, 78, 0, 76, 74, 0, 69, 0, 74, 76, 0, 72, 76, 0, 72, 69, 0, 76, 79, 0, 76, 0,
    74, 72, 71,
  ],
};
const INTRO = { name: 'intro', bars: [Em, C, G, D], melody: [] };
const OUTRO = { name: 'outro', bars: [G, D, C, G], melody: [] };
const FORM = [INTRO, VERSE, VERSE, CHORUS, VERSE, CHORUS, OUTRO];

const barCount = FORM.reduce((sum, section) => sum + section.bars.length, 0);
const sampleCount = Math.ceil((LEAD_IN_SECONDS + barCount * BAR_SECONDS + 2.5) * SAMPLE_RATE_HZ);
const left = new Float64Array(sampleCount);
const right = new Float64Array(sampleCount);

/** A small linear congruential generator: the same noise on every machine. */
let noiseState = 1;
function noise() {
  noiseState = (Math.imul(noiseState, 1_664_525) + 1_013_904_223) >>> 0;
  return noiseState / 2 ** 31 - 1;
}

const frequencyHz = (midiNote) => 440 * 2 ** ((midiNote - 69) / 12);

/** Adds `voice(secondsSinceStart, phaseTurns)` to both channels; pan -1..1. */
function play(startSeconds, lengthSeconds, hz, gain, pan, voice) {
  const first = Math.round(startSeconds * SAMPLE_RATE_HZ);
  const count = Math.min(Math.round(lengthSeconds * SAMPLE_RATE_HZ), sampleCount - first);
  const leftGain = gain * Math.cos(((pan + 1) * Math.PI) / 4);
  const rightGain = gain * Math.sin(((pan + 1) * Math.PI) / 4);
  for (let i = 0; i < count; i++) {
    const seconds = i / SAMPLE_RATE_HZ;
    const value = voice(seconds, hz * seconds);
    left[first + i] += leftGain * value;
    right[first + i] += rightGain * value;
  }
}

const sine = (turns) => Math.sin(2 * Math.PI * turns);
const release = (seconds, length, fade = 0.05) => Math.min(1, Math.max(0, (length - seconds) / fade));

function kick(at, gain = 0.9) {
  play(
    at,
    0.3,
    0,
    gain,
    0,
    (s) => Math.exp(-14 * s) * Math.sin(2 * Math.PI * (52 * s - (70 / 30) * (Math.exp(-30 * s) - 1))),
  );
}
function snare(at, gain = 0.42) {
  play(at, 0.22, 190, gain, 0.1, (s, turns) => Math.exp(-19 * s) * (0.75 * noise() + 0.5 * sine(turns)));
}
function hat(at, gain) {
  let before = 0;
  play(at, 0.08, 0, gain, 0.35, (s) => {
    const value = noise();
    const high = value - before;
    before = value;
    return Math.exp(-60 * s) * high;
  });
}
function bass(at, length, midiNote) {
  play(at, length, frequencyHz(midiNote), 0.34, 0, (s, turns) => {
    const tone = sine(turns) + 0.45 * sine(2 * turns) + 0.2 * sine(3 * turns);
    return Math.min(1, s / 0.008) * Math.exp(-1.6 * s) * release(s, length) * tone;
  });
}
function keys(at, length, midiNote, pan) {
  play(at, length, frequencyHz(midiNote), 0.1, pan, (s, turns) => {
    const bell = 1.6 * Math.exp(-5 * s) * sine(turns);
    return (
      Math.min(1, s / 0.004) *
      Math.exp(-1.1 * s) *
      release(s, length) *
      (sine(turns + bell / (2 * Math.PI)) + 0.25 * sine(2 * turns))
    );
  });
}
function lead(at, length, midiNote) {
  play(at, length, frequencyHz(midiNote), 0.17, -0.15, (s, turns) => {
    const vibrato = 0.012 * Math.min(1, s / 0.2) * sine(5.2 * s);
    const t = turns + vibrato;
    return (
      Math.min(1, s / 0.02) *
      release(s, length, 0.08) *
      (sine(t) + 0.4 * sine(2 * t) + 0.22 * sine(3 * t) + 0.1 * sine(4 * t))
    );
  });
}

let bar = 0;
for (const section of FORM) {
  section.bars.forEach((pitchClasses, index) => {
    playBar(LEAD_IN_SECONDS + bar * BAR_SECONDS, section, pitchClasses, index);
    bar++;
  });
}

function playBar(at, section, [root, third, fifth], index) {
  const full = section.name === 'chorus';
  const drums = section.name !== 'intro' || index >= 2;
  const eighth = BEAT_SECONDS / 2;
  for (let beat = 0; beat < 4; beat++) {
    const beatAt = at + beat * BEAT_SECONDS;
    if (drums) {
      if (beat % 2 === 0) kick(beatAt);
      else snare(beatAt);
      hat(beatAt, full ? 0.2 : 0.12);
      hat(beatAt + eighth, full ? 0.14 : 0.09);
    }
    if (full && beat === 2) kick(beatAt + eighth, 0.6);
    for (const [voice, pitchClass] of [root, third, fifth].entries()) {
      if (full || beat % 2 === 0)
        keys(beatAt, full ? BEAT_SECONDS : 2 * BEAT_SECONDS, 60 + pitchClass, (voice - 1) * 0.5);
    }
  }
  if (section.name !== 'intro') {
    bass(at, 1.4 * BEAT_SECONDS, 36 + root);
    bass(at + 1.5 * BEAT_SECONDS, 0.5 * BEAT_SECONDS, 36 + root);
    bass(at + 2 * BEAT_SECONDS, 1.5 * BEAT_SECONDS, 36 + root);
    bass(at + 3.5 * BEAT_SECONDS, 0.5 * BEAT_SECONDS, 36 + fifth - (fifth > root + 7 ? 12 : 0));
  }
  for (let step = 0; step < 8; step++) {
    const note = section.melody[index * 8 + step];
    if (!note) continue;
    const held = section.melody[index * 8 + step + 1] === 0 ? 2 : 1;
    lead(at + step * eighth, held * eighth * 0.95, note);
  }
}

writeFileSync(process.argv[2] ?? 'two-doors-down.wav', toWav());

function toWav() {
  const peak = Math.max(
    ...[left, right].map((channel) => channel.reduce((max, value) => Math.max(max, Math.abs(value)), 0)),
  );
  const gain = (10 ** (-1.5 / 20) * 32_767) / peak;
  const data = Buffer.alloc(44 + sampleCount * 4);
  data.write('RIFF', 0);
  data.writeUInt32LE(36 + sampleCount * 4, 4);
  data.write('WAVEfmt ', 8);
  data.writeUInt32LE(16, 16);
  data.writeUInt16LE(1, 20);
  data.writeUInt16LE(2, 22);
  data.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  data.writeUInt32LE(SAMPLE_RATE_HZ * 4, 28);
  data.writeUInt16LE(4, 32);
  data.writeUInt16LE(16, 34);
  data.write('data', 36);
  data.writeUInt32LE(sampleCount * 4, 40);
  for (let i = 0; i < sampleCount; i++) {
    data.writeInt16LE(Math.round(left[i] * gain), 44 + i * 4);
    data.writeInt16LE(Math.round(right[i] * gain), 46 + i * 4);
  }
  return data;
}
