import { describe, expect, it } from 'vitest';
import { loadModels } from '../../models/load-models.ts';
import type { AnalysisHints } from '../result.ts';
import { makeNoise, makeSine } from '../signal/test-signals.ts';
import { analyseSpectra } from '../signal/test-spectra.ts';
import { analyseRhythm } from './analyse-rhythm.ts';
import { makeBeats, makeDrumLoop, type TestBeat } from './test-rhythms.ts';

const RATE_HZ = 22_050;
/** A frame of 20 ms at either end of twenty seconds. */
const TEMPO_TOLERANCE_RATIO = 0.002;
const learned = loadModels().beats;

const analyseSignal = (signal: Float32Array, model: Uint8Array | null, hints?: AnalysisHints) =>
  analyseRhythm({ ...analyseSpectra(signal), hints, model, chords: null, style: null });

/** Share of `expected` that have a found beat within 50 ms. */
function share(expected: readonly TestBeat[], found: readonly { timeSeconds: number }[]): number {
  const hits = expected.filter((beat) =>
    found.some(({ timeSeconds }) => Math.abs(timeSeconds - beat.timeSeconds) < 0.05),
  );
  return hits.length / expected.length;
}

const loop = (bpm: number, beatsPerBar: number, seconds: number, swing?: number | null) => {
  const beats = makeBeats({ bpm, beatsPerBar, endSeconds: seconds - 0.2 });
  return { beats, signal: makeDrumLoop(beats, seconds, swing) };
};

describe.each([
  ['with the shipped network', learned],
  ['without a network', null],
])('analyseRhythm on drum loops %s', (_, model) => {
  it.each([60, 90, 120, 150, 180])('finds %i BPM or an octave of it, unrounded', (bpm) => {
    const { beats, signal } = loop(bpm, 4, 24);
    const { rhythm, reason } = analyseSignal(signal, model);
    expect(reason).toBeNull();
    const ratio = rhythm.bpm! / bpm;
    // People disagree about the octave of a bare drum loop.
    const octave = 2 ** Math.round(Math.log2(ratio));
    expect(Math.abs(ratio / octave - 1)).toBeLessThan(TEMPO_TOLERANCE_RATIO);
    const every = Math.max(1, Math.round(1 / octave));
    const phases = Array.from({ length: every }, (__, phase) =>
      beats.filter((___, n) => n % every === phase),
    );
    expect(Math.max(...phases.map((phase) => share(phase, rhythm.beats)))).toBe(1);
    expect(rhythm.alternatives[0]!.bpm).toBe(rhythm.bpm);
    expect(Math.min(...rhythm.alternatives.map(({ weight }) => weight))).toBeGreaterThanOrEqual(0.005);
  });

  it('reports no beats in silence before, between and after the music', () => {
    const { signal } = loop(120, 4, 24);
    const silence = new Float32Array(60 * RATE_HZ);
    const alone = analyseSignal(signal, model).rhythm;
    const { rhythm } = analyseSignal(
      Float32Array.from([silence, signal, silence, signal, silence].flatMap((part) => [...part])),
      model,
    );
    const sounds = [
      [60, 84],
      [144, 168],
    ] as const;
    // Half a beat of tolerance: beats counted on from the last sound may end a frame after it.
    const isNearMusic = (seconds: number) =>
      sounds.some(
        ([startSeconds, endSeconds]) => seconds > startSeconds - 0.25 && seconds < endSeconds + 0.25,
      );
    expect(rhythm.beats.filter(({ timeSeconds }) => !isNearMusic(timeSeconds))).toEqual([]);
    expect(rhythm.bpm! / alone.bpm!).toBeCloseTo(1, 3);
    // A pulse of the silences' own would take far more.
    expect(rhythm.stability!).toBeGreaterThan(alone.stability! - 0.05);
  });

  it.each([45, 75, 110, 140, 200, 240])('finds the beats of %i BPM when the tempo is hinted', (bpm) => {
    // Without off-beats, which at 45 BPM would make as good a tempo as the beats.
    const { beats, signal } = loop(bpm, 4, 24, null);
    const { rhythm } = analyseSignal(signal, model, { bpm });
    expect(Math.abs(rhythm.bpm! / bpm - 1)).toBeLessThan(TEMPO_TOLERANCE_RATIO);
    expect(share(beats, rhythm.beats)).toBe(1);
  });

  it.each([
    [100, 101],
    [99, 100],
    [99.9, 100.1],
  ])('stays within the hinted bounds %d to %d, and abstains from a tempo beyond them', (bpmMin, bpmMax) => {
    const analyseLoop = (bpm: number) =>
      analyseSignal(loop(bpm, 4, 24, null).signal, model, { bpmMin, bpmMax });
    for (const bpm of [100, 99.98, 100.02]) {
      const heardBpm = analyseLoop(bpm).rhythm.bpm!;
      expect(heardBpm >= bpmMin && heardBpm <= bpmMax).toBe(true);
      expect(Math.abs(heardBpm / bpm - 1)).toBeLessThan(TEMPO_TOLERANCE_RATIO);
    }
    const { rhythm, reason } = analyseLoop(104);
    expect([rhythm.bpm, reason]).toEqual([null, 'outside_hint']);
  });

  it('follows a slow drift', () => {
    const beats: TestBeat[] = [];
    for (let timeSeconds = 0.5, n = 0; timeSeconds < 39; n++) {
      beats.push({ timeSeconds, placeInBar: n % 4 });
      timeSeconds += 60 / (105 + 10 * Math.sin(timeSeconds / 6));
    }
    const { rhythm } = analyseSignal(makeDrumLoop(beats, 40), model, { bpmMin: 80, bpmMax: 140 });
    expect(share(beats, rhythm.beats)).toBe(1);
    const bpms = rhythm.tempoCurve.map((point) => point.bpm);
    // A point spans eight intervals, which flattens the extremes by less than half a BPM.
    expect(Math.min(...bpms)).toBeCloseTo(95, 0);
    expect(Math.max(...bpms)).toBeCloseTo(115, 0);
  });

  it('counts on through four silent bars', () => {
    const beats = makeBeats({ bpm: 120, beatsPerBar: 4, endSeconds: 39 });
    const played = beats.filter(({ timeSeconds }) => timeSeconds < 16 || timeSeconds > 23.9);
    const { rhythm } = analyseSignal(makeDrumLoop(played, 40), model, { bpm: 120 });
    expect(share(beats, rhythm.beats)).toBe(1);
  });

  it('measures the swing of the hi-hat', () => {
    const straight = analyseSignal(loop(110, 4, 24).signal, model, { bpm: 110 }).rhythm.swing!;
    const swung = analyseSignal(loop(110, 4, 24, 0.64).signal, model, { bpm: 110 }).rhythm.swing!;
    expect(Math.abs(straight.ratio - 0.5)).toBeLessThan(0.02);
    expect(Math.abs(swung.ratio - 0.64)).toBeLessThan(0.02);
  });

  it('gives the same answer twice, and at another gain', () => {
    const { signal } = loop(120, 4, 12);
    const first = analyseSignal(signal, model).rhythm;
    expect(analyseSignal(signal, model).rhythm).toEqual(first);
    const quiet = analyseSignal(
      signal.map((value) => value / 16),
      model,
    ).rhythm;
    expect(quiet.bpm).toBeCloseTo(first.bpm!, 3);
  });

  it('abstains with a reason', () => {
    const reasonOf = (signal: Float32Array) => analyseSignal(signal, model).reason;
    expect(reasonOf(new Float32Array(0))).toBe('silence');
    expect(reasonOf(new Float32Array(1))).toBe('silence');
    expect(reasonOf(new Float32Array(10 * RATE_HZ))).toBe('silence');
    // The network is not run on silence.
    expect(analyseSignal(new Float32Array(10 * RATE_HZ), model).models).toEqual([]);
    expect(reasonOf(loop(120, 4, 3.9).signal)).toBe('too_short');
    expect(reasonOf(loop(120, 4, 4).signal)).not.toBe('too_short');
    expect(reasonOf(makeNoise(20 * RATE_HZ, 0.3))).toBe('no_pulse');
    expect(reasonOf(makeSine(20 * RATE_HZ, 440, RATE_HZ, 0.5))).toBe('no_pulse');
    const impulse = new Float32Array(20 * RATE_HZ);
    impulse[5 * RATE_HZ] = 1;
    expect(reasonOf(impulse)).toBe('no_pulse');
  });

  it('counts bars upwards, lists first beats as downbeats and gives confidences between 0 and 1', () => {
    const { rhythm } = analyseSignal(loop(100, 3, 24).signal, model, { bpm: 100, timeSignature: 3 });
    const firsts = rhythm.beats.filter((beat) => beat.beatInBar === 1);
    expect(rhythm.downbeats.map((beat) => beat.timeSeconds)).toEqual(firsts.map((beat) => beat.timeSeconds));
    expect(rhythm.timeSignature).toMatchObject({ beatsPerBar: 3, changes: [] });
    // Also if it begins with an upbeat.
    expect(rhythm.beats[0]!.bar).toBe(0);
    rhythm.beats.forEach((beat, index) => {
      const last = rhythm.beats[index - 1];
      expect(beat.confidence).toBeGreaterThan(0);
      expect(beat.confidence).toBeLessThan(1);
      if (last === undefined) return;
      expect(beat.timeSeconds).toBeGreaterThan(last.timeSeconds);
      expect(beat.bar - last.bar).toBe(beat.beatInBar === 1 ? 1 : 0);
    });
  });
});

it('ships with a network', () => {
  expect(learned).not.toBeNull();
});
