import { describe, expect, it } from 'vitest';
import { confidenceOfKey, estimateKey, readKeyHint } from './key.ts';
import { type KeyBlocks, weighKeys } from './key-evidence.ts';
import { createKey } from './key-name.ts';

/** Blocks of 2.5 s with an empty chroma, and a network that always returns these logits. */
function makeBlocks(logits: Record<number, number>, durationSeconds = 30): KeyBlocks {
  const blockCount = durationSeconds / 2.5;
  const score = () => Float32Array.from({ length: 24 }, (_, key) => logits[key] ?? -50);
  return {
    blockCount,
    blockFrames: 25,
    frameRateHz: 10,
    soundingFrames: new Float64Array(blockCount).fill(25),
    chroma: new Float32Array(12 * blockCount),
    minorBiasLogOdds: 0,
    isMasked: false,
    learned: { head: { featureCount: 1, score }, features: new Float32Array(blockCount) },
  };
}
const G_MAJOR = createKey(7, 'major');
const E_MINOR = createKey(4, 'minor');

describe('the key of a piece', () => {
  it('is the one with the most evidence, or the first of equals', () => {
    expect(estimateKey(makeBlocks({ [G_MAJOR]: 1, [E_MINOR]: 2 }), null).key).toBe(E_MINOR);
    expect(estimateKey(makeBlocks({ [G_MAJOR]: 1, [E_MINOR]: 1 }), null).key).toBe(G_MAJOR);
  });

  it('has five alternatives, with their softmax weights', () => {
    // Odds of three to one at the fitted slope of 0.48; the other keys get the little that remains.
    const { alternatives } = estimateKey(
      makeBlocks({ [G_MAJOR]: Math.log(3) / 0.48, [E_MINOR]: 0, 2: -9, 3: -8, 1: -10 }),
      null,
    );
    expect(alternatives).toHaveLength(5);
    expect(alternatives.slice(0, 4).map(({ key, scale }) => [key, scale])).toEqual([
      ['E', 'minor'],
      ['Eb', 'major'],
      ['D', 'major'],
      ['C#', 'major'],
    ]);
    // To the precision of 32-bit logits.
    const rest = [8, 9, 10].reduce((sum, logit) => sum + Math.exp(-0.48 * logit), 0);
    expect(alternatives[0]!.weight).toBeCloseTo(1 / (3 + 1 + rest), 7);
    expect(alternatives[1]!.weight).toBeCloseTo(Math.exp(-0.48 * 8) / (3 + 1 + rest), 7);
  });

  it('has alternatives with weights of a steeper softmax without a network', () => {
    const chroma = Float32Array.from({ length: 12 }, (_, p) => [0, 4, 7].indexOf(p) + 1);
    const blocks = { ...makeBlocks({}, 2.5), chroma, learned: null };
    const [second, third] = estimateKey(blocks, null).alternatives;
    const [, secondLogOdds, thirdLogOdds] = weighKeys(blocks, 0, 1).toSorted((a, b) => b - a);
    expect(Math.log(second!.weight / third!.weight)).toBeCloseTo(0.87 * (secondLogOdds! - thirdLogOdds!), 9);
  });

  it('has half the weight if another has equal evidence, even where the exponentials overflow', () => {
    const { alternatives } = estimateKey(makeBlocks({ [G_MAJOR]: 4000, [E_MINOR]: 4000 }), null);
    expect(alternatives[0]!.weight).toBeCloseTo(0.5, 12);
  });

  it('is the best of the allowed keys, and so are its alternatives', () => {
    const estimate = estimateKey(makeBlocks({ [G_MAJOR]: 3, [E_MINOR]: 2, 0: 1 }), [0, E_MINOR]);
    expect(estimate.key).toBe(E_MINOR);
    expect(estimate.alternatives.map(({ key, scale }) => [key, scale])).toEqual([['C', 'major']]);
    // The lead over G major, which is not allowed but has more evidence, is -1.
    expect(estimate.confidence).toBeCloseTo(1 / (1 + Math.exp(0.33 + 0.48)), 12);
  });
});

describe('a hint', () => {
  it('allows the keys it names, and no hint allows all', () => {
    expect(readKeyHint('Em')).toEqual([E_MINOR]);
    expect(readKeyHint(undefined)).toBeNull();
  });

  it('that is not a key is rejected', () => {
    expect(() => readKeyHint('loud')).toThrow('not a key: "loud"');
  });
});

describe('the confidence of a key', () => {
  const confidenceAt = (leadLogOdds: number, seconds: number, learned: boolean, isMasked = false): number => {
    const evidence = new Float64Array(24).fill(-40);
    evidence[3] = 5;
    evidence[20] = 5 - leadLogOdds;
    const blocks = { ...makeBlocks({}, 300), isMasked };
    return confidenceOfKey(
      3,
      evidence,
      learned ? blocks : { ...blocks, learned: null },
      2,
      2 + seconds / 2.5,
    );
  };

  it.each([
    // Log-odds at half a minute: -0.33 + 0.48 lead with a network, -0.33 + 0.87 lead without.
    ['1 / 2 with a network', 0.33 / 0.48, 30, true, 0.5],
    ['3 / 4 with a network', (0.33 + Math.log(3)) / 0.48, 30, true, 0.75],
    ['1 / 2 without a network', 0.33 / 0.87, 30, false, 0.5],
    ['3 / 4 without a network', (0.33 + Math.log(3)) / 0.87, 30, false, 0.75],
    // Four times the length adds ln 4 times the constants per log length to offset and slope.
    [
      '1 / 2 for a smaller lead in two minutes with a network',
      (0.33 - 0.82 * Math.log(4)) / 0.48,
      120,
      true,
      0.5,
    ],
    [
      '1 / 2 for a smaller lead in two minutes without a network',
      (0.33 - 0.29 * Math.log(4)) / (0.87 + 0.19 * Math.log(4)),
      120,
      false,
      0.5,
    ],
  ])('is %s', (_name, leadLogOdds, seconds, learned, expected) => {
    expect(confidenceAt(leadLogOdds, seconds, learned)).toBeCloseTo(expected, 12);
  });

  it('is low for a key that does not lead', () => {
    expect(confidenceAt(-1, 30, true)).toBeCloseTo(1 / (1 + Math.exp(0.81)), 12);
  });

  it('is lower by 1.1 log-odds under drums and rap', () => {
    expect(confidenceAt((0.33 + 1.1) / 0.48, 30, true, true)).toBeCloseTo(0.5, 12);
    expect(confidenceAt((0.33 + 1.1) / 0.87, 30, false, true)).toBeCloseTo(0.5, 12);
  });

  it('grows with the lead, with a network only up to five', () => {
    expect(confidenceAt(5, 30, true)).toBeGreaterThan(confidenceAt(4.9, 30, true));
    expect(confidenceAt(9, 30, true)).toBe(confidenceAt(5, 30, true));
    expect(confidenceAt(9, 30, false)).toBeGreaterThan(confidenceAt(5, 30, false));
  });

  it('grows with the length between 10 and 135 seconds', () => {
    expect(confidenceAt(1, 2.5, true)).toBe(confidenceAt(1, 10, true));
    expect(confidenceAt(1, 12.5, true)).toBeGreaterThan(confidenceAt(1, 10, true));
    expect(confidenceAt(1, 135, true)).toBeGreaterThan(confidenceAt(1, 132.5, true));
    expect(confidenceAt(1, 200, true)).toBe(confidenceAt(1, 135, true));
  });
});
