import { describe, expect, it } from 'vitest';
import { loadModels } from '../../models/load-models.ts';
import type { AnalysisHints } from '../result.ts';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { makeRandom } from '../test-random.ts';
import { analyseRhythm } from './analyse-rhythm.ts';
import { detectMetronome } from './metronome.ts';
import { makeBeats, makeDrumLoop } from './test-rhythms.ts';

const RATE_HZ = 22_050;
const model = loadModels().beats;

/** Of every so many clicks, from the index `first` on, one is louder by `gain` and higher by the ratio `pitch`. */
type Accents = { every?: number; first?: number; gain?: number; pitch?: number };
/** One sample of a click, `seconds` after its onset. */
type Wave = (seconds: number, pitch: number) => number;

const sine: Wave = (seconds, pitch) =>
  seconds < 0.01 ? Math.sin(2 * Math.PI * 1000 * pitch * seconds) * Math.sin(Math.PI * 100 * seconds) : 0;
const random = makeRandom(5);
const noise: Wave = (seconds) => (seconds < 0.008 ? 2 * random() - 1 : 0);
const woodblock: Wave = (seconds, pitch) =>
  Math.exp(-seconds / 0.015) *
  (Math.sin(2 * Math.PI * 800 * pitch * seconds) + 0.5 * Math.sin(2 * Math.PI * 2130 * pitch * seconds));
const beep: Wave = (seconds) => (seconds < 0.1 ? Math.sin(2 * Math.PI * 880 * seconds) : 0);
const SOUNDS = [
  ['sine blips', sine],
  ['bursts of noise', noise],
  ['a woodblock', woodblock],
] as const;

function makeClicks(timesSeconds: readonly number[], seconds: number, wave: Wave, accents: Accents = {}) {
  const { every = Number.POSITIVE_INFINITY, first = 0, gain = 1, pitch = 1 } = accents;
  const signal = new Float32Array(seconds * RATE_HZ);
  timesSeconds.forEach((timeSeconds, index) => {
    const isAccent = index % every === first;
    const start = Math.round(timeSeconds * RATE_HZ);
    for (let n = 0; n < 0.15 * RATE_HZ && start + n < signal.length; n++) {
      signal[start + n]! += 0.25 * (isAccent ? gain : 1) * wave(n / RATE_HZ, isAccent ? pitch : 1);
    }
  });
  return signal;
}

const clickTimes = (bpm: number, seconds: number): number[] =>
  makeBeats({ bpm, beatsPerBar: 1, startSeconds: 0.3, endSeconds: seconds - 0.2 }).map(
    ({ timeSeconds }) => timeSeconds,
  );
const hear = (signal: Float32Array, hints?: AnalysisHints) =>
  analyseRhythm({ ...analyseSpectra(signal), hints, model, chords: null, style: null });

describe.each(SOUNDS)('a metronome of %s', (_, wave) => {
  it('has its tempo at every whole number from 30 to 260 BPM', () => {
    const wrong: [number, number | null][] = [];
    for (let bpm = 30; bpm <= 260; bpm++) {
      const heard = hear(makeClicks(clickTimes(bpm, 12), 12, wave)).rhythm;
      const isRight = heard.bpm !== null && Math.abs(heard.bpm / bpm - 1) < 0.001 && heard.confidence! > 0.9;
      if (!isRight) wrong.push([bpm, heard.bpm]);
    }
    expect(wrong).toEqual([]);
    // On a busy machine this takes longer than the usual limit of two minutes.
  }, 300_000);

  it('has half its tempo at 262 to 400 clicks a minute', () => {
    for (let clickBpm = 262; clickBpm <= 400; clickBpm += 6) {
      const { rhythm } = hear(makeClicks(clickTimes(clickBpm, 12), 12, wave));
      const [chosen, slower] = rhythm.alternatives;
      expect(chosen!.bpm / clickBpm).toBeCloseTo(1 / 2, 3);
      expect(slower!.bpm / clickBpm).toBeCloseTo(1 / 4, 3);
      // The network is less sure of them.
      expect(rhythm.confidence!).toBeGreaterThan(0.9);
    }
  });

  it.each([40, 97, 240])('of %i BPM has a beat on each click of two minutes', (bpm) => {
    const timesSeconds = clickTimes(bpm, 120);
    const { beats, stability } = hear(makeClicks(timesSeconds, 120, wave)).rhythm;
    expect(beats).toHaveLength(timesSeconds.length);
    beats.forEach(({ timeSeconds }, index) => {
      expect(Math.abs(timeSeconds - timesSeconds[index]!)).toBeLessThan(0.02);
    });
    expect(stability!).toBeGreaterThan(0.9);
  });

  it.each([2, 3, 4, 5, 6, 7])('has bars of %i when every such click is accented', (every) => {
    for (const accents of [{ gain: 2 }, { gain: 4 }]) {
      for (const bpm of [50, 100, 180]) {
        const timesSeconds = clickTimes(bpm, 30).slice(1);
        const { rhythm } = hear(makeClicks(timesSeconds, 30, wave, { every, ...accents }));
        expect(rhythm.timeSignature!.beatsPerBar).toBe(every);
        expect(rhythm.timeSignature!.confidence).toBeGreaterThan(0.9);
        // A frame is 20 ms.
        expect(Math.abs(rhythm.downbeats[0]!.timeSeconds - timesSeconds[0]!)).toBeLessThan(0.02);
        expect(rhythm.bpm! / bpm).toBeCloseTo(1, 3);
      }
    }
  });

  it('is timed within 2 % of an interval, wherever its clicks lie between two frames', () => {
    const { mel } = analyseSpectra(makeClicks(clickTimes(240, 12), 12, wave));
    // The last one repeats the interval before it.
    const intervalsFrames = detectMetronome(mel)!.tracking.track.beats.map(
      ({ periodFrames }) => periodFrames,
    );
    intervalsFrames.forEach((frames, index) => {
      expect(Math.abs(frames / (intervalsFrames[index - 1] ?? frames) - 1)).toBeLessThan(0.02);
    });
  });

  it('has bars of four with a low confidence when nothing is accented', () => {
    const { timeSignature } = hear(makeClicks(clickTimes(100, 30), 30, wave)).rhythm;
    expect(timeSignature!.beatsPerBar).toBe(4);
    expect(timeSignature!.confidence).toBeLessThan(0.5);
  });

  it('is detected despite hiss between the clicks', () => {
    const signal = makeClicks(clickTimes(90, 30), 30, wave).map((value) => value + 0.001 * (random() - 0.5));
    expect(hear(signal).rhythm.bpm! / 90).toBeCloseTo(1, 3);
  });
});

it('accents of another pitch make bars', () => {
  for (const pitch of [0.5, 1.5, 2]) {
    const { rhythm } = hear(makeClicks(clickTimes(100, 30), 30, sine, { every: 3, pitch }));
    expect(rhythm.timeSignature!.beatsPerBar).toBe(3);
  }
});

it('bars begin at the first accent and count on from there', () => {
  for (const first of [0, 1, 3]) {
    const { beats } = hear(
      makeClicks(clickTimes(100, 30), 30, woodblock, { every: 4, first, gain: 2 }),
    ).rhythm;
    const places = beats.slice(0, 8).map(({ beatInBar }) => beatInBar);
    expect(places).toEqual(Array.from({ length: 8 }, (_, index) => 1 + ((index - first + 4) % 4)));
  }
});

it.each([60, 97, 180, 300])('beeps of a tenth of a second, %i a minute, are a metronome', (clickBpm) => {
  const { rhythm } = hear(makeClicks(clickTimes(clickBpm, 12), 12, beep));
  expect(rhythm.bpm! / (clickBpm > 260 ? clickBpm / 2 : clickBpm)).toBeCloseTo(1, 3);
  expect(rhythm.confidence!).toBeGreaterThan(0.9);
});

it('a change of tempo shows in the tempo curve of a metronome', () => {
  const timesSeconds = [...clickTimes(100, 30), ...clickTimes(140, 30).map((seconds) => 30 + seconds)];
  const { tempoCurve } = hear(makeClicks(timesSeconds, 60, woodblock)).rhythm;
  expect(tempoCurve[2]!.bpm / 100).toBeCloseTo(1, 2);
  expect(tempoCurve.at(-2)!.bpm / 140).toBeCloseTo(1, 2);
});

describe('hints', () => {
  const signal = makeClicks(clickTimes(120, 30), 30, woodblock, { every: 4, gain: 2 });

  it.each([0, 1])('select the half of the clicks that has the accents, from click %i on', (first) => {
    const timesSeconds = clickTimes(120, 30);
    const { rhythm } = hear(makeClicks(timesSeconds, 30, woodblock, { every: 4, first, gain: 2 }), {
      bpm: 60,
    });
    expect(rhythm.bpm! / 60).toBeCloseTo(1, 3);
    // A frame is 20 ms.
    expect(Math.abs(rhythm.beats[0]!.timeSeconds - timesSeconds[first]!)).toBeLessThan(0.02);
    expect(rhythm.timeSignature!.beatsPerBar).toBe(2);
  });

  it('bound the tempo', () => {
    const { rhythm } = hear(signal, { bpmMin: 120, bpmMax: 121 });
    expect(rhythm.bpm!).toBeGreaterThanOrEqual(120);
    expect(rhythm.bpm!).toBeLessThan(120.1);
  });

  it('that leave too few beats leave the decision to the network', () => {
    const { mel } = analyseSpectra(makeClicks(clickTimes(240, 2.5), 4, sine));
    expect(detectMetronome(mel)).not.toBeNull();
    expect(detectMetronome(mel, { bpm: 60 })).toBeNull();
  });

  it('set the meter', () => {
    expect(hear(signal, { timeSignature: 3 }).rhythm.timeSignature!.beatsPerBar).toBe(3);
  });

  it('outside the accepted tempi are rejected', () => {
    expect(() => hear(signal, { bpm: 1000 })).toThrow('400 BPM');
  });
});

describe('detectMetronome does not respond to', () => {
  const spectraOf = (signal: Float32Array) => analyseSpectra(signal).mel;

  it('a drum loop', () => {
    for (const swing of [null, 0.5]) {
      const beats = makeBeats({ bpm: 100, beatsPerBar: 4, endSeconds: 23 });
      expect(detectMetronome(spectraOf(makeDrumLoop(beats, 24, swing)))).toBeNull();
    }
  });

  it('a bare kick drum', () => {
    const kick: Wave = (seconds) => Math.exp(-seconds / 0.02) * Math.sin(2 * Math.PI * 60 * seconds);
    expect(detectMetronome(spectraOf(makeClicks(clickTimes(120, 30), 30, kick)))).toBeNull();
  });

  it('knocking at uneven intervals', () => {
    const uneven = clickTimes(120, 30).map((seconds) => seconds + 0.1 * random());
    expect(detectMetronome(spectraOf(makeClicks(uneven, 30, woodblock)))).toBeNull();
  });

  it('notes between the clicks', () => {
    const clicks = makeClicks(clickTimes(120, 30), 30, woodblock);
    const notes = clicks.map((value, n) => value + 0.03 * Math.sin((2 * Math.PI * 220 * n) / RATE_HZ));
    expect(detectMetronome(spectraOf(notes))).toBeNull();
  });
});
