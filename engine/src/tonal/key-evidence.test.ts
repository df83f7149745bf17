import { describe, expect, it } from 'vitest';
import { blockFramesAt, correlateProfiles, createKeyBlocks, weighKeys } from './key-evidence.ts';
import { createKey, scaleOf, tonicOf } from './key-name.ts';

const C_TRIAD = [1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0];
const F_SHARP = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0];
const makeFrames = (rows: readonly (readonly number[])[]) => ({
  frameRateHz: 10,
  binCount: 12,
  frameCount: rows.length,
  data: Float32Array.from(rows.flat()),
});
const repeat = (row: readonly number[], count: number): (readonly number[])[] => new Array(count).fill(row);
/** Blocks of chroma frames; without a network, a style or silence unless given. */
const makeBlocks = (
  rows: readonly (readonly number[])[],
  options: Partial<Parameters<typeof createKeyBlocks>[1]> = {},
) =>
  createKeyBlocks(makeFrames(rows), {
    learned: null,
    style: null,
    isMasked: false,
    silent: new Uint8Array(rows.length),
    ...options,
  });
const NEUTRAL = { hipHop: 0, blues: 0, country: 0, metal: 0, happy: 0 };

describe('profiles', () => {
  it('correlate with a triad by Pearson’s coefficient', () => {
    const correlations = correlateProfiles(C_TRIAD);
    // Computed in Python from the triad and the rotated table.
    expect(correlations[createKey(0, 'major')]).toBeCloseTo(0.83954, 4);
    expect(correlations[createKey(7, 'major')]).toBeCloseTo(0.40119, 4);
    expect(correlations[createKey(9, 'minor')]).toBeCloseTo(0.40743, 4);
  });

  it('ignore the level and what all pitch classes have in common', () => {
    const plain = correlateProfiles(C_TRIAD);
    correlateProfiles(C_TRIAD.map((value) => 40 * value + 3)).forEach((value, key) => {
      expect(value).toBeCloseTo(plain[key]!, 12);
    });
  });

  it('rotate with the chroma', () => {
    const chroma = Array.from({ length: 12 }, (_, p) => ((p * p * 7) % 11) / 11);
    const turned = chroma.map((_, p) => chroma[(p + 12 - 5) % 12]!);
    const plain = correlateProfiles(chroma);
    correlateProfiles(turned).forEach((value, key) => {
      expect(value).toBeCloseTo(plain[createKey(tonicOf(key) - 5, scaleOf(key))]!, 12);
    });
  });

  it('have no correlation with a flat chroma', () => {
    expect([...correlateProfiles(new Array(12).fill(2))]).toEqual(new Array(24).fill(0));
  });
});

describe('blocks', () => {
  it('are two and a half seconds long, but at least one frame', () => {
    expect([blockFramesAt(10), blockFramesAt(100), blockFramesAt(0.1)]).toEqual([25, 250, 1]);
  });

  it('hold the sums of their frames, the last one of those that remain', () => {
    const rows = Array.from({ length: 60 }, (_, frame) =>
      Array.from({ length: 12 }, (_, p) => (p === 3 ? frame : 1)),
    );
    const blocks = makeBlocks(rows);
    expect(blocks).toMatchObject({
      blockCount: 3,
      blockFrames: 25,
      frameRateHz: 10,
      soundingFrames: Float64Array.of(25, 25, 10),
      learned: null,
    });
    const sumOf = (from: number, to: number) => ((to - from) * (from + to - 1)) / 2;
    expect([3, 15, 27].map((at) => blocks.chroma[at])).toEqual([sumOf(0, 25), sumOf(25, 50), sumOf(50, 60)]);
    expect([0, 12, 24, 35].map((at) => blocks.chroma[at])).toEqual([25, 25, 10, 10]);
  });

  it.each([
    ['default', null, 0.9],
    ['no style in particular', NEUTRAL, 0.9],
    ['blues', { ...NEUTRAL, blues: 1 }, 2.1],
    ['country', { ...NEUTRAL, country: 1 }, -0.05],
    ['metal', { ...NEUTRAL, metal: 1 }, 1.5],
    ['cheer', { ...NEUTRAL, happy: 1 }, 0.4],
  ])('have the minor bias of %s', (_name, style, expected) => {
    expect(makeBlocks([], { style }).minorBiasLogOdds).toBeCloseTo(expected, 12);
  });
});

describe('the evidence for keys', () => {
  it('without a network is that of the profiles, in the given blocks', () => {
    const turned = C_TRIAD.map((_, p) => C_TRIAD[(p + 7) % 12]!);
    const blocks = makeBlocks([...repeat(C_TRIAD, 25), ...repeat(turned, 25)]);
    const first = weighKeys(blocks, 0, 1);
    expect(first[0]).toBeCloseTo(12 * 0.83954, 2);
    expect(weighKeys(blocks, 1, 2)[5]).toBeCloseTo(first[0]!, 10);
  });

  it('scores the mean of the network’s features over the frames, even if the last block is short', () => {
    const scored: number[][] = [];
    const head = {
      featureCount: 2,
      score: (mean: Float32Array) => {
        scored.push([...mean]);
        return Float32Array.from({ length: 24 }, (_, key) => key);
      },
    };
    // Sums of 25, 25 and 10 frames whose features are 1 and 2.
    const features = Float32Array.of(25, 50, 25, 50, 10, 20);
    const blocks = makeBlocks(repeat(new Array(12).fill(0), 60), { learned: { head, features } });
    const evidence = weighKeys(blocks, 1, 3);
    weighKeys(blocks, 0, 1);
    weighKeys(blocks, 2, 3);
    expect(scored).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    // In silence it is the logit of the network, plus the bias for minor keys.
    expect(evidence[5]).toBe(5);
    expect(evidence[17]).toBeCloseTo(17.9, 10);
    expect([...weighKeys(blocks, 1, 1)]).toEqual(new Array(24).fill(0));
  });

  it('omits the blocks inside fifteen seconds of silence and more', () => {
    const rows = [...repeat(C_TRIAD, 30), ...repeat(F_SHARP, 150)];
    const silentFrom = (first: number) => Uint8Array.from({ length: 180 }, (_, n) => Number(n >= first));
    const head = { featureCount: 1, score: () => new Float32Array(24).fill(7) };
    const learned = { head, features: new Float32Array(8) };
    const blocks = makeBlocks(rows, { learned, silent: silentFrom(30) });
    // The silence starts in the second block, which still counts.
    expect([...blocks.soundingFrames]).toEqual([25, 25, 0, 0, 0, 0, 0, 0]);
    expect(weighKeys(blocks, 0, 8)).toEqual(weighKeys(blocks, 0, 2));
    expect([...weighKeys(blocks, 2, 8)]).toEqual(new Array(24).fill(0));
    const atTheStart = silentFrom(20).reverse();
    // It ends within the seventh block, which counts, as do those after it.
    const later = makeBlocks(rows, { learned, silent: atTheStart });
    expect([...later.soundingFrames]).toEqual([0, 0, 0, 0, 0, 0, 25, 5]);
    const shorter = makeBlocks(rows, { learned, silent: silentFrom(31) });
    expect([...shorter.soundingFrames]).toEqual([25, 25, 25, 25, 25, 25, 25, 5]);
  });

  it('lowers a major key by the chroma on its flat seventh', () => {
    const head = { featureCount: 1, score: () => new Float32Array(24) };
    const learned = { head, features: new Float32Array(1) };
    const rows = repeat([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0], 25);
    const [withNetwork, without] = [learned, null].map((given) =>
      weighKeys(makeBlocks(rows, { learned: given }), 0, 1),
    ) as [Float64Array, Float64Array];
    const added = Array.from(withNetwork, (value, key) => value - without[key]!);
    // Half of the chroma is six twelfths at 1.5 each, which C major loses for the B flat and D major for the C.
    const expected = new Array(24).fill(0).fill(0.9, 12);
    expected[0] = -9;
    expected[2] = -9;
    added.forEach((value, key) => {
      expect(value).toBeCloseTo(expected[key]!, 10);
    });
  });
});
