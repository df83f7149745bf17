/** Synthesises short songs of known tempo and key as WAV files: a kick, a hi-hat and four chords. */
import { wavBytes } from './wav-bytes.mjs';

const RATE_HZ = 22_050;
const SONG_SECONDS = 16;
/** By then they have decayed to about a fortieth. */
const KICK_SECONDS = 0.15;
const HAT_SECONDS = 0.03;
/** Semitones above the tonic: I IV V I and i iv V i, which establish the key. */
const MAJOR = [
  [0, 4, 7],
  [5, 9, 12],
  [7, 11, 14],
  [0, 4, 7],
];
const MINOR = [
  [0, 3, 7],
  [5, 8, 12],
  [7, 11, 14],
  [0, 3, 7],
];

/** Numbers 0 to 29 have different tempi (92 to 150 BPM). Keys repeat every 12: minor on C, D, E, F#, Ab, Bb, major on the others. */
export function makeSong(number) {
  const bpm = 92 + ((number * 7) % 30) * 2;
  const tonic = (number * 5) % 12;
  const chords = number % 2 === 0 ? MINOR : MAJOR;
  const samples = new Float32Array(RATE_HZ * SONG_SECONDS);
  const beatSamples = (RATE_HZ * 60) / bpm;
  for (let beat = 0; beat * beatSamples < samples.length; beat += 1) {
    const startSample = Math.round(beat * beatSamples);
    addKick(samples, startSample, beat % 4 === 0 ? 0.6 : 0.4);
    addHat(samples, Math.round(startSample + beatSamples / 2), number * 1_000 + beat);
    if (beat % 4 === 0)
      addChord(samples, startSample, Math.round(beatSamples * 4), tonic, chords[(beat / 4) % 4]);
  }
  return toWav(samples);
}

/** A tone that falls from 210 to 50 Hz. `peak` is a share of full scale. */
function addKick(samples, startSample, peak) {
  for (let index = 0; index < RATE_HZ * KICK_SECONDS && startSample + index < samples.length; index += 1) {
    const seconds = index / RATE_HZ;
    const phase = 2 * Math.PI * (50 * seconds + 4 * (1 - Math.exp(-seconds * 40)));
    samples[startSample + index] += peak * Math.exp(-seconds * 25) * Math.sin(phase);
  }
}

function addHat(samples, startSample, seed) {
  // Reproducible noise from a linear congruential generator (Numerical Recipes).
  let state = seed | 1;
  for (let index = 0; index < RATE_HZ * HAT_SECONDS && startSample + index < samples.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    samples[startSample + index] += 0.1 * Math.exp(-index / (RATE_HZ * 0.008)) * (state / 2 ** 31);
  }
}

function addChord(samples, startSample, lengthSamples, tonic, intervals) {
  // The root two octaves below the chord, as MIDI notes.
  const notes = [36 + tonic + intervals[0], ...intervals.map((interval) => 60 + tonic + interval)];
  for (const midi of notes) {
    const hz = 440 * 2 ** ((midi - 69) / 12);
    for (let index = 0; index < lengthSamples && startSample + index < samples.length; index += 1) {
      const seconds = index / RATE_HZ;
      const tone = [1, 0.5, 0.3, 0.2].reduce(
        (sum, level, harmonic) => sum + level * Math.sin(2 * Math.PI * hz * (harmonic + 1) * seconds),
        0,
      );
      samples[startSample + index] += 0.05 * Math.exp(-seconds * 0.8) * Math.min(1, seconds * 200) * tone;
    }
  }
}

function toWav(samples) {
  const whole = (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767);
  return wavBytes(Int16Array.from(samples, whole), { sampleRateHz: RATE_HZ });
}
