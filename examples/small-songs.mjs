/**
 * Synthesises songs of 15 to 20 seconds with known tempo, key and level, as material for the other examples: a kick on every beat,
 * a bass and three-part chords, one chord per bar.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wavBytes } from '../scripts/wav-bytes.mjs';

const SAMPLE_RATE_HZ = 22_050;
const BAR_COUNT = 8;
const MIDDLE_C_MIDI = 60;
const KICK_SECONDS = 0.18;
const KICK_HZ = 55;
/** The peak of a song with a gain of 0 dB, of full scale. */
const PEAK = 0.9;

/** The scale in semitones above the tonic, and the degrees of the four chords that repeat. */
const MODES = {
  major: { scale: [0, 2, 4, 5, 7, 9, 11], degrees: [0, 4, 5, 3] },
  // Harmonic minor: with the leading tone, i iv V i occurs in no other key.
  minor: { scale: [0, 2, 3, 5, 7, 8, 11], degrees: [0, 3, 4, 0] },
};

const CRATE = [
  { name: 'evening-train', tempoBpm: 124, root: 'A', mode: 'minor', gainDb: -3 },
  { name: 'glass-harbour', tempoBpm: 126, root: 'E', mode: 'minor', gainDb: 0 },
  { name: 'cold-coffee', tempoBpm: 122, root: 'C', mode: 'major', gainDb: -9 },
  { name: 'paper-lanterns', tempoBpm: 96, root: 'F#', mode: 'minor', gainDb: -6 },
];

const PITCH_CLASSES = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];

/** Writes the songs of CRATE into a folder and returns their paths. */
export function writeCrate(folder) {
  return CRATE.map((song) => {
    const path = join(folder, `${song.name}.wav`);
    writeFileSync(path, toWav(playSong(song)));
    return path;
  });
}

function playSong({ tempoBpm, root, mode, gainDb }) {
  const beatSeconds = 60 / tempoBpm;
  const samples = new Float64Array(Math.ceil(BAR_COUNT * 4 * beatSeconds * SAMPLE_RATE_HZ));
  const { scale, degrees } = MODES[mode];
  const tonicMidi = MIDDLE_C_MIDI - 12 + PITCH_CLASSES.indexOf(root);
  const midiOf = (degree) => tonicMidi + scale[degree % 7] + 12 * Math.floor(degree / 7);
  for (let bar = 0; bar < BAR_COUNT; bar++) {
    const degree = degrees[bar % 4];
    for (let beat = 0; beat < 4; beat++) {
      const startSeconds = (bar * 4 + beat) * beatSeconds;
      add(samples, startSeconds, KICK_SECONDS, kick);
      add(samples, startSeconds, beatSeconds, tone(midiOf(degree) - 12, 0.25, 5));
      for (const third of [0, 2, 4])
        add(samples, startSeconds, beatSeconds, tone(midiOf(degree + third) + 12, 0.1, 4));
    }
  }
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const gain = (PEAK * 10 ** (gainDb / 20)) / peak;
  return samples.map((value) => value * gain);
}

function kick(seconds) {
  return 0.8 * Math.sin(2 * Math.PI * KICK_HZ * seconds) * Math.exp(-22 * seconds);
}

/** A plucked note with a few harmonics. */
function tone(pitchMidi, level, decayPerSecond) {
  const hz = 440 * 2 ** ((pitchMidi - 69) / 12);
  return (seconds) => {
    let value = 0;
    for (let harmonic = 1; harmonic <= 4; harmonic++)
      value += Math.sin(2 * Math.PI * hz * harmonic * seconds) / harmonic ** 2;
    return level * value * Math.exp(-decayPerSecond * seconds);
  };
}

function add(samples, startSeconds, lengthSeconds, voice) {
  const first = Math.round(startSeconds * SAMPLE_RATE_HZ);
  const count = Math.min(Math.round(lengthSeconds * SAMPLE_RATE_HZ), samples.length - first);
  for (let index = 0; index < count; index++) samples[first + index] += voice(index / SAMPLE_RATE_HZ);
}

function toWav(samples) {
  const whole = (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767);
  return wavBytes(Int16Array.from(samples, whole), { sampleRateHz: SAMPLE_RATE_HZ });
}
