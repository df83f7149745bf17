import { describe, expect, it } from 'vitest';
import { createKernels, type Kernels } from '../signal/kernels.ts';
import { makeRandom } from '../test-random.ts';
import { trackBarsTwin } from './bar-pointer-twin.ts';
import { type TrackerOptions, trackBars } from './bar-tracker.ts';
import { observeBeats } from './beat-activation.ts';
import { makeActivation, makeBeats, type TestBeat } from './test-rhythms.ts';

const OPTIONS: TrackerOptions = {
  frameRateHz: 50,
  bpmMin: 40,
  bpmMax: 260,
  meters: [3, 4],
  meterChangeCost: 40,
};

function track(beats: readonly TestBeat[], seconds: number, options: Partial<TrackerOptions> = {}) {
  const observations = observeBeats(makeActivation(beats, seconds));
  return trackBars(createKernels(), observations, { ...OPTIONS, ...options });
}

describe('trackBars', () => {
  it.each([45, 60, 88.8, 120, 133.3, 174, 240])('finds every beat at %f BPM', (bpm) => {
    const beats = makeBeats({ bpm, beatsPerBar: 4, endSeconds: 29 });
    const found = track(beats, 30).beats;
    expect(found).toHaveLength(beats.length);
    found.forEach((beat, index) => {
      // The nearest frame is at most half a frame away; a bump's two highest frames may tie.
      expect(Math.abs(beat.frame / 50 - beats[index]!.timeSeconds)).toBeLessThanOrEqual(0.0201);
      expect(beat.placeInBar).toBe(beats[index]!.placeInBar);
    });
  });

  it.each([2, 3, 4, 5, 6, 7])('counts bars of %i', (beatsPerBar) => {
    const beats = makeBeats({ bpm: 110, beatsPerBar, endSeconds: 29 });
    const result = track(beats, 30, { meters: [2, 3, 4, 5, 6, 7] });
    expect(new Set(result.beats.map((beat) => beat.beatsPerBar))).toEqual(new Set([beatsPerBar]));
    expect(result.meterScores.indexOf(Math.max(...result.meterScores))).toBe(beatsPerBar - 2);
  });

  it('follows a tempo that rises by a third within a minute', () => {
    const beats: TestBeat[] = [];
    for (let timeSeconds = 0.5, n = 0; timeSeconds < 59; n++) {
      beats.push({ timeSeconds, placeInBar: n % 4 });
      timeSeconds += 60 / (90 * (1 + timeSeconds / 180));
    }
    const found = track(beats, 60).beats;
    expect(found.map((beat) => beat.placeInBar)).toEqual(beats.map((beat) => beat.placeInBar));
    // Two steps of the tempo grid: a frame is 4 % of a beat.
    const lastSeconds = beats.at(-1)!.timeSeconds - beats.at(-2)!.timeSeconds;
    expect(Math.abs(found.at(-1)!.periodFrames / 50 / lastSeconds - 1)).toBeLessThan(0.04);
  });

  it('changes meter where the music does, unless changes are forbidden', () => {
    const three = makeBeats({ bpm: 120, beatsPerBar: 3, endSeconds: 30 });
    const four = makeBeats({ bpm: 120, beatsPerBar: 4, startSeconds: 30.5, endSeconds: 60 });
    const changing = track([...three, ...four], 60).beats;
    expect(changing.find((beat) => beat.beatsPerBar === 4)!.frame).toBe(30.5 * 50);
    const held = track([...three, ...four], 60, { meterChangeCost: Number.POSITIVE_INFINITY }).beats;
    expect(new Set(held.map((beat) => beat.beatsPerBar)).size).toBe(1);
    // With the beat at 30 s, which neither part plays.
    expect(held).toHaveLength(three.length + 1 + four.length);
  });

  it('rests through a silence and finds a new phase and tempo after it', () => {
    const first = makeBeats({ bpm: 100, beatsPerBar: 4, endSeconds: 30 });
    const second = makeBeats({ bpm: 140, beatsPerBar: 4, startSeconds: 61.27, endSeconds: 90 });
    const found = track([...first, ...second], 90).beats;
    expect(found).toHaveLength(first.length + second.length);
    // 61.27 s are 3063.5 frames.
    expect([3063, 3064]).toContain(found[first.length]!.frame);
  });

  it('begins with the first beat and ends with the last', () => {
    const beats = makeBeats({ bpm: 120, beatsPerBar: 4, startSeconds: 10, endSeconds: 20 });
    const found = track(beats, 40).beats;
    expect([found[0]!.frame, found.at(-1)!.frame]).toEqual([500, 975]);
    expect(found).toHaveLength(beats.length);
  });

  it('tracks a file far longer than its history without losing a beat', () => {
    // Twenty minutes, every 23rd beat missing; the history holds 41 seconds.
    const beats = makeBeats({ bpm: 97.3, beatsPerBar: 4, endSeconds: 1199 });
    const heard = beats.filter((_, index) => index % 23 !== 5);
    const found = track(heard, 1200).beats;
    expect(found.map((beat) => beat.placeInBar)).toEqual(beats.map((beat) => beat.placeInBar));
  });

  it('charges two for a beat a frame outside the two around the period', () => {
    // At exactly 100 BPM, 30 frames.
    const score = (intervalFrames: number) => {
      // Twenty beats of a single frame each, which no path leaves to save the charge.
      const beat = Float32Array.from({ length: 700 }, (_, frame) =>
        frame % intervalFrames === 0 && frame < 20 * intervalFrames ? 0.9 : 0,
      );
      const observations = observeBeats({ frameRateHz: 50, beat, downbeat: beat, source: 'learned' });
      return trackBars(createKernels(), observations, { ...OPTIONS, bpmMin: 100, bpmMax: 100, meters: [1] })
        .score;
    };
    expect(score(31)).toBe(score(30));
    for (const intervalFrames of [29, 32]) expect(score(30) - score(intervalFrames)).toBeCloseTo(19 * 2, 3);
  });

  it('gives the same scores without a traceback, and frees its memory', () => {
    const observations = observeBeats(
      makeActivation(makeBeats({ bpm: 120, beatsPerBar: 4, endSeconds: 29 }), 30),
    );
    const kernels = createKernels();
    const mark = kernels.exports.markMemory();
    const whole = trackBars(kernels, observations, OPTIONS);
    expect(trackBars(kernels, observations, { ...OPTIONS, isScoreOnly: true })).toEqual({
      ...whole,
      beats: [],
    });
    expect(kernels.exports.markMemory()).toBe(mark);
  });

  it.each([
    ['nothing', 0],
    ['one frame', 1],
    ['a second without beats', 50],
  ])('finds no beats in %s', (_, frameCount) => {
    const flat = new Float32Array(frameCount).fill(0.01);
    const observations = observeBeats({ frameRateHz: 50, beat: flat, downbeat: flat, source: 'learned' });
    expect(trackBars(createKernels(), observations, OPTIONS)).toMatchObject({ beats: [], score: 0 });
  });

  it('refuses tempi and meters it cannot track', () => {
    expect(() => track([], 1, { bpmMin: 5 })).toThrow('cannot track');
    expect(() => track([], 1, { bpmMin: 120, bpmMax: 100 })).toThrow('cannot track');
    expect(() => track([], 1, { meters: [] })).toThrow('meters');
    expect(() => track([], 1, { meters: [2.5] })).toThrow('meters');
  });
});

describe('the kernel', () => {
  const cases: { seed: number; meters: number[]; meterChangeCost: number }[] = [
    { seed: 9, meters: [2, 3, 4], meterChangeCost: 12 },
    { seed: 10, meters: [4], meterChangeCost: 40 },
    { seed: 11, meters: [3, 5], meterChangeCost: Number.POSITIVE_INFINITY },
  ];

  it.each(cases)('equals its twin to the last bit: %j', ({ seed, meters, meterChangeCost }) => {
    const random = makeRandom(seed);
    const beat = Float32Array.from({ length: 1300 }, () => random() ** 4);
    const downbeat = beat.map((value) => value * random());
    const observations = observeBeats({ frameRateHz: 50, beat, downbeat, source: 'learned' });
    const options: TrackerOptions = { ...OPTIONS, bpmMin: 100, bpmMax: 130, meters, meterChangeCost };
    const host = createKernels();
    const onTwin: Kernels = {
      ...host,
      exports: {
        ...host.exports,
        trackBars: (...args) => trackBarsTwin(host.exports.memory.buffer, ...args),
      },
    };
    const fromKernel = trackBars(createKernels(), observations, options);
    // Scores are sums over the whole path, so a difference anywhere would show.
    expect(fromKernel).toEqual(trackBars(onTwin, observations, options));
    expect(fromKernel.beats.length).toBeGreaterThan(30);
  });
});
