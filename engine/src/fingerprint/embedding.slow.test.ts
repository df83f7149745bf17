import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { makeMusic, makeNoise } from '../signal/test-signals.ts';
import { HIDDEN_NORMS } from '../tags/tag-norms.ts';
import { embed } from './embedding.ts';

/** docs/result-format.md#embedding. */
const PARTS = {
  timbre: [0, 38],
  harmony: [38, 44],
  rhythm: [44, 48],
  dynamics: [48, 50],
  hidden: [50, 250],
} as const;
const takePart = (vector: number[] | null, part: keyof typeof PARTS) => vector!.slice(...PARTS[part]);

const RATE_HZ = 44_100;

const analyseSignal = (signal: Float32Array) =>
  analyse({ sampleRateHz: RATE_HZ, channelCount: 1 }, [{ channels: [signal] }]);
const embedSignal = (signal: Float32Array) => analyseSignal(signal).fingerprint!.embedding;

const similarity = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0);

/** Each number is rounded to seven decimals. */
function expectSame(actual: number[] | null, expected: number[]): void {
  actual!.forEach((value, k) => {
    expect(Math.abs(value - expected[k]!)).toBeLessThan(1.5e-7);
  });
}

describe('the embedding', () => {
  const music = makeMusic(RATE_HZ, 12);
  const { timbre, loudness, rhythm, tonal, fingerprint } = analyseSignal(music);
  const groups = { timbre: timbre!, loudness: loudness!, rhythm: rhythm!, tonal: tonal!, hidden: null };
  const vector = embed(groups)!;

  it('is a unit vector of the published parts; the hidden units are zero without a tagger', () => {
    expect(vector).toHaveLength(250);
    // The vector of the result was computed before its groups were rounded.
    expect(similarity(vector, fingerprint!.embedding!)).toBeCloseTo(1, 5);
    for (const part of ['timbre', 'harmony', 'rhythm', 'dynamics'] as const) {
      expect(takePart(vector, part).some((value) => value !== 0)).toBe(true);
    }
    expect(takePart(vector, 'hidden')).toEqual(new Array(200).fill(0));
    // Rounded to seven decimals each.
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('is the same in every key', () => {
    const { chroma } = groups.tonal;
    for (let semitones = 1; semitones < 12; semitones++) {
      const transposed = [...chroma.slice(semitones), ...chroma.slice(0, semitones)];
      expectSame(embed({ ...groups, tonal: { ...groups.tonal, chroma: transposed } }), vector);
    }
    const otherChord = chroma.toReversed().map((value, k) => value * (k % 3));
    const other = embed({ ...groups, tonal: { ...groups.tonal, chroma: otherChord } });
    expect(takePart(other, 'harmony')).not.toEqual(takePart(vector, 'harmony'));
  });

  it('is the same at half and at double the tempo', () => {
    const embedTempo = (ratio: number) =>
      embed({ ...groups, rhythm: { ...groups.rhythm, bpm: ratio * groups.rhythm.bpm! } });
    expectSame(embedTempo(0.5), vector);
    expectSame(embedTempo(2), vector);
    expect(takePart(embedTempo(1.5), 'rhythm')).not.toEqual(takePart(vector, 'rhythm'));
  });

  it('holds hidden units as spreads from their mean over music, three at most', () => {
    const { mean, spread } = HIDDEN_NORMS;
    const raised = new Map([
      [7, 1],
      [9, -2],
      [11, 10],
    ]);
    const hidden = mean.map((centre, k) => centre + (raised.get(k) ?? 0) * spread[k]!);
    const part = takePart(embed({ ...groups, hidden }), 'hidden');
    expect(part.flatMap((value, k) => (value === 0 ? [] : [k]))).toEqual([7, 9, 11]);
    expect(part[9]! / part[7]!).toBeCloseTo(-2, 4);
    expect(part[11]! / part[7]!).toBeCloseTo(3, 4);
  });

  it('is zero in the part of an unknown group', () => {
    const without = embed({ ...groups, rhythm: null, tonal: null });
    expect([...takePart(without, 'harmony'), ...takePart(without, 'rhythm')]).toEqual(new Array(10).fill(0));
    expect(takePart(without, 'timbre')).not.toEqual(new Array(38).fill(0));
  });

  it('hardly depends on gain', () => {
    // Contrast and gates have absolute floors, which affect a softer copy more.
    expect(similarity(vector, embedSignal(music.map((value) => value / 4))!)).toBeGreaterThan(0.995);
  });

  it('is more similar to that of another part of the same music than to that of noise', () => {
    const part = embedSignal(music.subarray(4 * RATE_HZ))!;
    const noise = embedSignal(makeNoise(8 * RATE_HZ, 0.2))!;
    // Unrelated vectors have a similarity of 0, equal ones of 1.
    expect(similarity(vector, part)).toBeGreaterThan(similarity(vector, noise) + 0.3);
  });

  it('is null for silence', () => {
    expect(embedSignal(new Float32Array(5 * RATE_HZ))).toBeNull();
  });
});
