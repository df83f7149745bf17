/** Music with known chords, as synthesised tones in any tuning or as drawn pitch frames. */

import type { Beat } from '../result.ts';
import type { FloatFrames } from '../signal/frame-matrix.ts';

export const RATE_HZ = 22_050;
const PARTIAL_COUNT = 8;
const ATTACK_SECONDS = 0.02;
const BASS_MIDI = 36;
const MIDDLE_MIDI = 55;

/** Pitch classes with the root first, sounding together for `seconds`. */
export type TestChord = { pitchClasses: readonly number[]; seconds: number };

/** A chord on `root`, whose tones are the intervals above it in semitones. */
export function makeChord(root: number, intervals: readonly number[], seconds = 2): TestChord {
  return { pitchClasses: intervals.map((interval) => (root + interval) % 12), seconds };
}

export const MAJOR = [0, 4, 7] as const;
export const MINOR = [0, 3, 7] as const;

/** I vi IV V I in a major key, i VI iv V i in a minor one: each fits its key and no other. */
export function makeCadence(key: number): TestChord[] {
  const tonic = key % 12;
  const degrees: [number, readonly number[]][] =
    key < 12
      ? [
          [0, MAJOR],
          [9, MINOR],
          [5, MAJOR],
          [7, MAJOR],
          [0, MAJOR],
        ]
      : [
          [0, MINOR],
          [8, MAJOR],
          [5, MINOR],
          [7, MAJOR],
          [0, MINOR],
        ];
  return degrees.map(([degree, intervals]) => makeChord(tonic + degree, intervals));
}

/** Every chord as a root in the bass and all its tones from G3 up, each with eight partials of falling amplitude. */
export function renderChords(chords: readonly TestChord[], tuningCents = 0): Float32Array {
  const sampleCount = chords.reduce((sum, { seconds }) => sum + Math.round(seconds * RATE_HZ), 0);
  const signal = new Float32Array(sampleCount);
  let startSample = 0;
  for (const { pitchClasses, seconds } of chords) {
    const count = Math.round(seconds * RATE_HZ);
    const notes = [
      BASS_MIDI + pitchClasses[0]!,
      ...pitchClasses.map((pitchClass) => MIDDLE_MIDI + ((pitchClass - MIDDLE_MIDI + 60) % 12)),
    ];
    for (const note of notes)
      addTone(signal.subarray(startSample, startSample + count), note + tuningCents / 100);
    startSample += count;
  }
  return signal;
}

const tones = new Map<string, Float32Array>();

function addTone(out: Float32Array, pitchMidi: number): void {
  const name = `${pitchMidi} ${out.length}`;
  const tone = tones.get(name) ?? makeTone(out.length, pitchMidi);
  tones.set(name, tone);
  for (let n = 0; n < out.length; n++) out[n]! += tone[n]!;
}

function makeTone(sampleCount: number, pitchMidi: number): Float32Array {
  const tone = new Float32Array(sampleCount);
  const frequencyHz = 440 * 2 ** ((pitchMidi - 69) / 12);
  for (let partial = 1; partial <= PARTIAL_COUNT; partial++) {
    const stepRadians = (2 * Math.PI * partial * frequencyHz) / RATE_HZ;
    const phaseRadians = partial * pitchMidi;
    // sin(x + step) = 2 cos(step) sin(x) - sin(x - step)
    const twice = 2 * Math.cos(stepRadians);
    let before = Math.sin(phaseRadians - stepRadians);
    let now = Math.sin(phaseRadians);
    for (let n = 0; n < sampleCount; n++) {
      tone[n]! += (0.05 * now) / partial;
      [before, now] = [now, twice * now - before];
    }
  }
  const attackSamples = ATTACK_SECONDS * RATE_HZ;
  return tone.map((x, n) => x * Math.min(1, n / attackSamples, (sampleCount - n) / attackSamples));
}

/** Steady beats in bars of four. */
export function makeBeats(durationSeconds: number, beatSeconds = 0.5): Beat[] {
  return Array.from({ length: Math.floor(durationSeconds / beatSeconds) }, (_, index) => ({
    timeSeconds: index * beatSeconds,
    confidence: 1,
    beatInBar: (index % 4) + 1,
    bar: Math.floor(index / 4),
  }));
}

const PITCH = { rateHz: 10, bandCount: 144, firstMidi: 36 };

/** Pitch frames of chords without audio: the root in the octave from C2, and every tone in the octaves from C4 and C5. */
export function drawChords(chords: readonly TestChord[]): FloatFrames {
  const { rateHz, bandCount, firstMidi } = PITCH;
  const rows = chords.flatMap(({ pitchClasses, seconds }) => {
    const row = new Float32Array(bandCount);
    row[2 * pitchClasses[0]!] = 20;
    for (const pitchClass of pitchClasses) {
      for (const octaveMidi of [60, 72]) row[2 * (octaveMidi - firstMidi + pitchClass)]! += 20;
    }
    return Array.from({ length: Math.round(seconds * rateHz) }, () => row);
  });
  const data = new Float32Array(rows.length * bandCount);
  rows.forEach((row, frame) => {
    data.set(row, frame * bandCount);
  });
  return { frameRateHz: rateHz, binCount: bandCount, frameCount: rows.length, data };
}
