import { describe, expect, it } from 'vitest';
import { CHORD_CLASS_COUNT, type ChordActivation, createChordActivation } from '../tonal/chord-activation.ts';
import { placeBarLines } from './bar-lines.ts';
import type { TrackedBeat } from './bar-tracker.ts';

const FRAME_RATE_HZ = 50;
const PERIOD_FRAMES = 25;
const CHORD_RATE_HZ = 10;

/** Half a second apart, counted in bars of four from `firstPlace`. */
function makeBeats(count: number, firstPlace = 0): TrackedBeat[] {
  return Array.from({ length: count }, (_, index) => ({
    frame: 10 + index * PERIOD_FRAMES,
    placeInBar: (firstPlace + index) % 4,
    beatsPerBar: 4,
    periodFrames: PERIOD_FRAMES,
  }));
}

/** Observations in which each beat begins a bar with the given log odds. Every other beat is surer than its neighbours. */
function observe(beats: readonly TrackedBeat[], downbeatLogOdds: (index: number) => number): Float32Array {
  const observations = new Float32Array(2 * (beats.at(-1)!.frame + PERIOD_FRAMES));
  beats.forEach(({ frame }, index) => {
    const beatLogOdds = index % 2 === 0 ? 2 : 10;
    observations[2 * frame] = beatLogOdds;
    observations[2 * frame + 1] = beatLogOdds + downbeatLogOdds(index);
  });
  return observations;
}

/** A new chord on each beat for which `isChange` is true. */
function playChords(beats: readonly TrackedBeat[], isChange: (index: number) => boolean): ChordActivation {
  const frameCount = Math.ceil(((beats.at(-1)!.frame + PERIOD_FRAMES) / FRAME_RATE_HZ) * CHORD_RATE_HZ);
  const activation = createChordActivation(CHORD_RATE_HZ, frameCount, 'learned');
  for (let frame = 0; frame < frameCount; frame++) {
    const passed = beats.filter(
      (beat, index) => isChange(index) && beat.frame / (FRAME_RATE_HZ / CHORD_RATE_HZ) <= frame,
    ).length;
    for (let chord = 0; chord < CHORD_CLASS_COUNT; chord++) {
      // A thousandth for each of the 24 other classes.
      const probability = chord === passed % 24 ? 0.976 : 0.001;
      activation.logProbabilities[frame * CHORD_CLASS_COUNT + chord] = Math.log(probability);
    }
  }
  return activation;
}

const options = { frameRateHz: FRAME_RATE_HZ, meters: [4, 3], meterChangeCost: 40 };
const places = (beats: readonly TrackedBeat[]): string =>
  beats.map(({ placeInBar }) => placeInBar + 1).join('');

describe('placeBarLines', () => {
  it('keeps the bars when the chords agree with them or never change', () => {
    const beats = makeBeats(24);
    const observations = observe(beats, (index) => (index % 4 === 0 ? 2 : -2));
    for (const isChange of [(index: number) => index % 4 === 0, () => false]) {
      expect(placeBarLines(beats, observations, playChords(beats, isChange), options)).toEqual(beats);
    }
  });

  it('moves the bar lines to the chord changes when the activation is weak', () => {
    const beats = makeBeats(24);
    const observations = observe(beats, (index) => (index % 4 === 0 ? 0.5 : -0.5));
    const chords = playChords(beats, (index) => index % 4 === 2);
    const placed = placeBarLines(beats, observations, chords, options);
    expect(places(placed)).toBe('341234123412341234123412');
    expect(placed.map(({ frame }) => frame)).toEqual(beats.map(({ frame }) => frame));
  });

  it.each([
    [4.15, '341234123412341234123412'],
    [4.21, '123412341234123412341234'],
  ])(
    'weighs a full change of chord by ten, less a quarter of it: against log odds of %d',
    (logOdds, expected) => {
      const beats = makeBeats(24);
      const observations = observe(beats, (index) => (index % 4 === 0 ? logOdds : -logOdds));
      const chords = playChords(beats, (index) => index % 4 === 2);
      // Half of the chord frame on a beat counts to either side: a tenth of a beat, so that 0.9 of 0.975 change. Bars from the third beat on gain
      // six such changes and no more than five others lose for none: 6 (10 · 0.8775 - 2.5) + 5 · 2.5 = 12 · 4.18.
      expect(places(placeBarLines(beats, observations, chords, options))).toBe(expected);
    },
  );

  it('keeps the bars despite an occasional chord change elsewhere', () => {
    const beats = makeBeats(48);
    const observations = observe(beats, (index) => (index % 4 === 0 ? 3 : -3));
    const chords = playChords(beats, (index) => index % 16 === 2);
    expect(placeBarLines(beats, observations, chords, options)).toEqual(beats);
  });

  it('changes bars of four to bars of three', () => {
    const beats = makeBeats(48);
    const observations = observe(beats, (index) => (index % 3 === 0 ? 1 : -1));
    const placed = placeBarLines(
      beats,
      observations,
      playChords(beats, (index) => index % 3 === 0),
      options,
    );
    expect(places(placed)).toBe('123'.repeat(16));
    expect(new Set(placed.map(({ beatsPerBar }) => beatsPerBar))).toEqual(new Set([3]));
  });

  it('changes meter for a single bar only if that costs less than it gains', () => {
    // Bars of four with one bar of three: beats 16 to 18.
    const beats = makeBeats(35);
    const isDownbeat = (index: number) => (index < 19 ? index % 4 === 0 : index % 4 === 3);
    const observations = observe(beats, (index) => (isDownbeat(index) ? 4 : -4));
    const chords = playChords(beats, () => false);
    const place = (meterChangeCost: number) =>
      placeBarLines(beats, observations, chords, { ...options, meterChangeCost });
    expect(places(place(0))).toBe(`${'1234'.repeat(4)}123${'1234'.repeat(4)}`);
    expect(new Set(place(40).map(({ beatsPerBar }) => beatsPerBar))).toEqual(new Set([4]));
  });

  it('starts a new count after a rest', () => {
    const first = makeBeats(16);
    const restFrames = 20 * PERIOD_FRAMES + 10;
    const beats = [...first, ...makeBeats(16).map((beat) => ({ ...beat, frame: beat.frame + restFrames }))];
    // The second half plays its downbeats two beats later than the count of the first half would put them.
    const observations = observe(beats, (index) => ((index < 16 ? index : index + 2) % 4 === 0 ? 2 : -2));
    const chords = playChords(beats, () => false);
    expect(places(placeBarLines(beats, observations, chords, options))).toBe(
      '1234123412341234' + '3412341234123412',
    );
  });

  it('does not change a single beat', () => {
    const beats = makeBeats(1);
    const observations = observe(beats, () => 0);
    expect(
      placeBarLines(
        beats,
        observations,
        playChords(beats, () => false),
        options,
      ),
    ).toEqual(beats);
  });
});
