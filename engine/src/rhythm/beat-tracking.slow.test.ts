import { describe, expect, it } from 'vitest';
import type { AnalysisHints } from '../result.ts';
import { createKernels } from '../signal/kernels.ts';
import { CHORD_CLASS_COUNT, createChordActivation } from '../tonal/chord-activation.ts';
import { trackBeats } from './beat-tracking.ts';
import { makeActivation, makeBeats, type TestBeat } from './test-rhythms.ts';

/** Beats at `bpm`, and others of height `betweenHeight` half-way between: two levels to choose from. */
const makeTwoLevels = (bpm: number, betweenHeight: number, endSeconds = 60) =>
  activate(makeBeats({ bpm, beatsPerBar: 4, endSeconds: endSeconds - 1 }), betweenHeight, endSeconds);

function activate(beats: readonly TestBeat[], betweenHeight: number, endSeconds: number) {
  const activation = makeActivation(beats, endSeconds);
  const halfway = beats.slice(1).map(({ timeSeconds }, n) => ({
    timeSeconds: (beats[n]!.timeSeconds + timeSeconds) / 2,
    placeInBar: 1,
  }));
  const between = makeActivation(halfway, endSeconds, { height: betweenHeight });
  activation.beat.forEach((value, frame) => {
    activation.beat[frame] = Math.max(value, between.beat[frame]!);
  });
  return activation;
}

const track = (activation: ReturnType<typeof makeActivation>, hints?: AnalysisHints) =>
  trackBeats(createKernels(), activation, hints)!;

describe('trackBeats', () => {
  it('takes the slow level when the beats between are faint, and the fast one when they are not', () => {
    expect(track(makeTwoLevels(70, 0.15)).choice.level.bpm).toBeCloseTo(70, 1);
    expect(track(makeTwoLevels(70, 0.9)).choice.level.bpm).toBeCloseTo(140, 1);
  });

  it('obeys a tempo hint, even against its own choice', () => {
    const activation = makeTwoLevels(70, 0.15);
    expect(track(activation, { bpm: 142 }).choice.level.bpm).toBeCloseTo(140, 1);
    expect(track(activation, { bpm: 69 }).choice.level.bpm).toBeCloseTo(70, 1);
  });

  it('finds music that is 7.5 % faster or slower than the hinted tempo', () => {
    const activation = makeActivation(makeBeats({ bpm: 100, beatsPerBar: 4, endSeconds: 59 }), 60);
    for (const bpm of [100 / 1.075, 100 * 1.075]) {
      expect(track(activation, { bpm }).choice.level.bpm).toBeCloseTo(100, 1);
    }
  });

  it('obeys a range of tempi', () => {
    const activation = makeTwoLevels(70, 0.15);
    expect(track(activation, { bpmMin: 100 }).choice.level.bpm).toBeCloseTo(140, 1);
    const fast = makeTwoLevels(70, 0.9);
    expect(track(fast, { bpmMax: 100 }).choice.level.bpm).toBeCloseTo(70, 1);
  });

  it.each([62, 70, 79, 87, 91, 103, 114, 124])('finds a tempo of %i that is itself a hinted bound', (bpm) => {
    const activation = makeActivation(makeBeats({ bpm, beatsPerBar: 4, endSeconds: 59 }), 60);
    // The tempo grid has steps of 2 %.
    for (const hints of [{ bpmMin: bpm }, { bpmMax: bpm }, { bpmMin: bpm, bpmMax: bpm }]) {
      const found = track(activation, hints).choice.level.bpm;
      expect(Math.abs(found / bpm - 1), JSON.stringify(hints)).toBeLessThan(0.02);
    }
  });

  it.each([
    [25, { bpmMax: 35 }],
    [30, { bpmMax: 35 }],
    [380, { bpmMin: 300 }],
  ])('searches beyond the usual range when a hint lies there: %i BPM with %j', (bpm, hints) => {
    const activation = makeActivation(makeBeats({ bpm, beatsPerBar: 4, endSeconds: 59 }), 60);
    expect(Math.abs(track(activation, hints).choice.level.bpm / bpm - 1)).toBeLessThan(0.02);
  });

  it('obeys a time signature', () => {
    const activation = makeActivation(makeBeats({ bpm: 100, beatsPerBar: 4, endSeconds: 59 }), 60);
    expect(track(activation).choice.beatsPerBar).toBe(4);
    const { choice, track: bars } = track(activation, { timeSignature: 3 });
    expect(choice.beatsPerBar).toBe(3);
    expect(bars.beats.every((beat) => beat.beatsPerBar === 3)).toBe(true);
  });

  it.each([3, 5, 7])('finds bars of %i without a hint', (beatsPerBar) => {
    const activation = makeActivation(makeBeats({ bpm: 100, beatsPerBar, endSeconds: 59 }), 60);
    const { choice, track: bars } = track(activation);
    expect(choice.beatsPerBar).toBe(beatsPerBar);
    expect(new Set(bars.beats.map((beat) => beat.beatsPerBar))).toEqual(new Set([beatsPerBar]));
  });

  it('changes meter for good, but not for a single bar', () => {
    const makePart = (beatsPerBar: number, startSeconds: number, seconds: number) =>
      makeBeats({ bpm: 120, beatsPerBar, startSeconds, endSeconds: startSeconds + seconds });
    const metersOf = (...parts: TestBeat[][]) =>
      new Set(track(makeActivation(parts.flat(), 70)).track.beats.map(({ beatsPerBar }) => beatsPerBar));
    expect(metersOf(makePart(4, 0.5, 40), makePart(3, 40.5, 27))).toEqual(new Set([4, 3]));
    expect(metersOf(makePart(4, 0.5, 40), makePart(3, 40.5, 1.5), makePart(4, 42, 26))).toEqual(new Set([4]));
  });

  it('begins bars where the chords change', () => {
    // Beats of half a second without any downbeat; from the third beat on, every fourth has a new chord.
    const beats = makeBeats({ bpm: 120, beatsPerBar: 4, startSeconds: 0.5, endSeconds: 59 });
    const activation = makeActivation(
      beats.map((beat) => ({ ...beat, placeInBar: 1 })),
      60,
    );
    const chords = createChordActivation(10, 600, 'learned');
    chords.logProbabilities.fill(Math.log(0.001));
    for (let frame = 0; frame < 600; frame++) {
      const changes = Math.floor((frame + 5) / 20);
      chords.logProbabilities[frame * CHORD_CLASS_COUNT + (changes % 24)] = Math.log(0.976);
    }
    const { beats: found } = trackBeats(createKernels(), activation, { timeSignature: 4 }, chords)!.track;
    const downbeats = found.filter(({ placeInBar }) => placeInBar === 0);
    expect(downbeats.map(({ frame }) => frame)).toEqual(
      Array.from({ length: 29 }, (_, bar) => 75 + 100 * bar),
    );
  });

  it.each([
    [{ bpm: 5 }, 'tempo hint'],
    [{ bpmMin: 150, bpmMax: 100 }, 'bpmMin 150 is above bpmMax 100'],
    [{ bpm: 120, bpmMin: 150, bpmMax: 100 }, 'bpmMin 150 is above bpmMax 100'],
    [{ bpm: 120, bpmMin: 150 }, 'bpm 120 is not within 150 to 400 BPM'],
    [{ bpm: 120, bpmMax: 100 }, 'bpm 120 is not within 20 to 100 BPM'],
    [{ timeSignature: 0 }, 'timeSignature'],
    [{ timeSignature: 17 }, 'timeSignature'],
    [{ timeSignature: 3.5 }, 'timeSignature'],
    [{ bpmMax: Number.NaN }, 'tempo hint'],
  ] as [AnalysisHints, string][])('refuses the hint %j', (hints, message) => {
    expect(() => track(makeTwoLevels(70, 0.1, 10), hints)).toThrow(message);
  });

  it('follows a tempo that changes for good to one at no level', () => {
    const slow = makeBeats({ bpm: 80, beatsPerBar: 4, endSeconds: 45 });
    const fast = makeBeats({ bpm: 105, beatsPerBar: 4, startSeconds: 45.5, endSeconds: 89 });
    const { beats } = track(makeActivation([...slow, ...fast], 90)).track;
    const found = (expected: TestBeat[]): number =>
      expected.filter(({ timeSeconds }) =>
        beats.some((beat) => Math.abs(beat.frame / 50 - timeSeconds) < 0.05),
      ).length;
    expect(found(slow) / slow.length).toBeGreaterThan(0.95);
    expect(found(fast) / fast.length).toBeGreaterThan(0.95);
  });

  it('is null without a beat', () => {
    expect(trackBeats(createKernels(), makeActivation([], 20))).toBeNull();
    expect(trackBeats(createKernels(), makeActivation([], 0))).toBeNull();
  });
});

it('does not mistake the rounding of fast periods to whole frames for a change of tempo', () => {
  // 236.2 BPM is 12.7 frames a beat; every other beat is stronger, so 118.1 is the level to choose. Three guards hold it: tempi are measured
  // over several beats, straying must score more, and ends below the double. The track goes to 236.2 without all three.
  const { choice, track: bars } = track(makeTwoLevels(118.1, 0.3));
  expect(choice.level.bpm).toBeCloseTo(118.1, 1);
  const first = bars.beats[0]!;
  const last = bars.beats.at(-1)!;
  expect((60 * 50 * (bars.beats.length - 1)) / (last.frame - first.frame)).toBeCloseTo(118.1, 1);
});

it('stays at the chosen tempo when it drifts, and does not slip to its double', () => {
  // From 66 to 78 BPM and back; the beats half-way between are loud enough for the free track to take most of them.
  const beats: TestBeat[] = [];
  for (let timeSeconds = 0.5, n = 0; timeSeconds < 58; n++) {
    beats.push({ timeSeconds, placeInBar: n % 4 });
    timeSeconds += 60 / (72 + 6 * Math.sin((2 * Math.PI * timeSeconds) / 30));
  }
  const { choice, track: bars } = track(activate(beats, 0.35, 60));
  expect(choice.level.bpm).toBeCloseTo(72, 0);
  expect(bars.beats).toHaveLength(beats.length);
});
