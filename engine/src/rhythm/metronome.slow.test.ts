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

/** Of every so many clicks, from the index `first` on, one has `gain` times the amplitude and `pitch` times the frequency. */
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
    const startSample = Math.round(timeSeconds * RATE_HZ);
    for (let n = 0; n < 0.15 * RATE_HZ && startSample + n < signal.length; n++) {
      signal[startSample + n]! += 0.25 * (isAccent ? gain : 1) * wave(n / RATE_HZ, isAccent ? pitch : 1);
    }
  });
  return signal;
}

const clickTimes = (bpm: number, seconds: number): number[] =>
  makeBeats({ bpm, beatsPerBar: 1, startSeconds: 0.3, endSeconds: seconds - 0.2 }).map(
    ({ timeSeconds }) => timeSeconds,
  );
/** The rhythm of a recording that must be detected as a metronome: of many of them the network reports the same. */
function hear(signal: Float32Array, hints?: AnalysisHints) {
  const heard = analyseRhythm({ ...analyseSpectra(signal), hints, model, chords: null, style: null });
  expect(heard.isMetronome).toBe(true);
  return heard.rhythm;
}

describe.each(SOUNDS)('a metronome of %s', (_, wave) => {
  it('has its tempo at every whole number from 30 to 260 BPM', () => {
    const wrong: [number, number | null][] = [];
    for (let bpm = 30; bpm <= 260; bpm++) {
      const heard = hear(makeClicks(clickTimes(bpm, 12), 12, wave));
      const isRight = heard.bpm !== null && Math.abs(heard.bpm / bpm - 1) < 0.001 && heard.confidence! > 0.9;
      if (!isRight) wrong.push([bpm, heard.bpm]);
    }
    expect(wrong).toEqual([]);
    // On a busy machine this takes longer than the usual limit of two minutes.
  }, 300_000);

  it('has half its tempo at 262 to 400 clicks a minute', () => {
    for (let clickBpm = 262; clickBpm <= 400; clickBpm += 6) {
      const rhythm = hear(makeClicks(clickTimes(clickBpm, 12), 12, wave));
      const [chosen, slower] = rhythm.alternatives;
      expect(chosen!.bpm / clickBpm).toBeCloseTo(1 / 2, 3);
      expect(slower!.bpm / clickBpm).toBeCloseTo(1 / 4, 3);
      expect(rhythm.confidence!).toBeGreaterThan(0.9);
    }
  });

  it.each([40, 97, 240])('of %i BPM has a beat on each click of two minutes', (bpm) => {
    const timesSeconds = clickTimes(bpm, 120);
    const { beats, stability } = hear(makeClicks(timesSeconds, 120, wave));
    expect(beats).toHaveLength(timesSeconds.length);
    // A frame is 20 ms.
    beats.forEach(({ timeSeconds }, index) => {
      expect(Math.abs(timeSeconds - timesSeconds[index]!)).toBeLessThan(0.02);
    });
    expect(stability!).toBeGreaterThan(0.9);
  });

  it.each([2, 3, 4, 5, 6, 7])('has bars of %i when every such click is accented', (every) => {
    for (const accents of [{ gain: 2 }, { gain: 4 }]) {
      for (const bpm of [50, 100, 180]) {
        const timesSeconds = clickTimes(bpm, 30);
        const rhythm = hear(makeClicks(timesSeconds, 30, wave, { every, ...accents }));
        expect(rhythm.timeSignature!.beatsPerBar).toBe(every);
        expect(rhythm.timeSignature!.confidence).toBeGreaterThan(0.9);
        // A frame is 20 ms.
        expect(Math.abs(rhythm.downbeats[0]!.timeSeconds - timesSeconds[0]!)).toBeLessThan(0.02);
        expect(rhythm.bpm! / bpm).toBeCloseTo(1, 3);
      }
    }
  });

  it('is timed within 1 % of an interval, wherever its clicks lie between two frames', () => {
    // An interval is no simple multiple of a frame, so the clicks lie everywhere.
    const timesSeconds = clickTimes(237, 12);
    const { mel } = analyseSpectra(makeClicks(timesSeconds, 12, wave));
    const { beats } = detectMetronome(mel)!.tracking.track;
    expect(beats).toHaveLength(timesSeconds.length);
    for (const { periodFrames } of beats) {
      expect(Math.abs(periodFrames / ((60 * mel.frameRateHz) / 237) - 1)).toBeLessThan(0.01);
    }
  });

  it('has bars of four with a low confidence when nothing is accented', () => {
    const { timeSignature } = hear(makeClicks(clickTimes(100, 30), 30, wave));
    expect(timeSignature!.beatsPerBar).toBe(4);
    expect(timeSignature!.confidence).toBeLessThan(0.5);
  });

  it('is detected despite hiss between the clicks', () => {
    const signal = makeClicks(clickTimes(90, 30), 30, wave).map((value) => value + 0.001 * (random() - 0.5));
    expect(hear(signal).bpm! / 90).toBeCloseTo(1, 3);
  });
});

it('accents of another pitch make bars', () => {
  for (const pitch of [0.5, 1.5, 2]) {
    const { timeSignature } = hear(makeClicks(clickTimes(100, 30), 30, sine, { every: 3, pitch }));
    expect(timeSignature!.beatsPerBar).toBe(3);
  }
});

it('bars begin at the first accent and count on from there', () => {
  for (const first of [0, 1, 3]) {
    const { beats } = hear(makeClicks(clickTimes(100, 30), 30, woodblock, { every: 4, first, gain: 2 }));
    const places = beats.slice(0, 8).map(({ beatInBar }) => beatInBar);
    expect(places).toEqual(Array.from({ length: 8 }, (_, index) => 1 + ((index - first + 4) % 4)));
  }
});

it.each([60, 97, 180, 300])('beeps of a tenth of a second, %i a minute, are a metronome', (clickBpm) => {
  const rhythm = hear(makeClicks(clickTimes(clickBpm, 12), 12, beep));
  expect(rhythm.bpm! / (clickBpm > 260 ? clickBpm / 2 : clickBpm)).toBeCloseTo(1, 3);
  expect(rhythm.confidence!).toBeGreaterThan(0.9);
});

it('a change of tempo shows in the tempo curve of a metronome', () => {
  const timesSeconds = [...clickTimes(100, 30), ...clickTimes(140, 30).map((seconds) => 30 + seconds)];
  const { tempoCurve } = hear(makeClicks(timesSeconds, 60, woodblock));
  // A point every four beats, from nine: in the first twelve, most are of the 50 clicks at 100 BPM.
  const curveBpm = [...Array(12).fill(100), ...Array(16).fill(140)];
  expect(tempoCurve.map(({ bpm }) => Math.round(bpm))).toEqual(curveBpm);
});

describe('hints', () => {
  const signal = makeClicks(clickTimes(120, 30), 30, woodblock, { every: 4, gain: 2 });

  it.each([0, 1])('select the half of the clicks that has the accents, from click %i on', (first) => {
    const timesSeconds = clickTimes(120, 30);
    const rhythm = hear(makeClicks(timesSeconds, 30, woodblock, { every: 4, first, gain: 2 }), { bpm: 60 });
    expect(rhythm.bpm! / 60).toBeCloseTo(1, 3);
    // A frame is 20 ms.
    expect(Math.abs(rhythm.beats[0]!.timeSeconds - timesSeconds[first]!)).toBeLessThan(0.02);
    expect(rhythm.timeSignature!.beatsPerBar).toBe(2);
  });

  it('bound the tempo', () => {
    expect(hear(signal, { bpmMax: 100 }).bpm! / 60).toBeCloseTo(1, 3);
    // Within the tolerance of a bound, the tempo is the bound.
    expect(hear(signal, { bpmMax: 119.9 }).bpm).toBe(119.9);
  });

  it('that leave too few beats leave the decision to the network', () => {
    const { mel } = analyseSpectra(makeClicks(clickTimes(240, 2.5), 4, sine));
    expect(detectMetronome(mel)).not.toBeNull();
    expect(detectMetronome(mel, { bpm: 60 })).toBeNull();
  });

  it('set the meter', () => {
    expect(hear(signal, { timeSignature: 3 }).timeSignature!.beatsPerBar).toBe(3);
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
