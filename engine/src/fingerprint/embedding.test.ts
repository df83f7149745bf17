import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import { makeMusic, makeNoise } from '../signal/test-signals.ts';
import { HIDDEN_NORMS } from '../tags/tag-norms.ts';
import { type EmbeddingInput, embed } from './embedding.ts';
import { EMBEDDING_NORMS } from './embedding-norms.ts';

/** Lengths of the parts in docs/result-format.md#embedding: timbre, harmony, rhythm, dynamics, and the hidden units of the tagger, which is not run here. */
const PARTS = [38, 6, 4, 2, 200];

const RATE_HZ = 44_100;

function embedSignal(signal: Float32Array): number[] | null {
  const format = { sampleRateHz: RATE_HZ, channelCount: 1 };
  return analyse(format, [{ channels: [signal] }]).fingerprint!.embedding;
}

const likeness = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0);

describe('the embedding', () => {
  const music = makeMusic(RATE_HZ, 12);
  const vector = embedSignal(music)!;

  it('is a unit vector whose parts lie where the layout says', () => {
    expect(vector).toHaveLength(PARTS.reduce((sum, length) => sum + length));
    const isFilled = PARTS.map((length, part) => {
      const start = PARTS.slice(0, part).reduce((sum, before) => sum + before, 0);
      return vector.slice(start, start + length).some((value) => value !== 0);
    });
    expect(isFilled).toEqual([true, true, true, true, false]);
    // Rounded to seven digits each.
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('hardly depends on the gain', () => {
    // Contrast and gates have a floor at an absolute level, which is nearer to the softer copy.
    expect(likeness(vector, embedSignal(music.map((value) => value / 4))!)).toBeGreaterThan(0.995);
  });

  it('finds another part of the same music nearer than noise', () => {
    const part = embedSignal(music.subarray(4 * RATE_HZ))!;
    const noise = embedSignal(makeNoise(8 * RATE_HZ, 0.2))!;
    // On a scale where equal vectors have 1 and unrelated ones 0.
    expect(likeness(vector, part)).toBeGreaterThan(likeness(vector, noise) + 0.3);
  });

  it('is null for silence', () => {
    expect(embedSignal(new Float32Array(5 * RATE_HZ))).toBeNull();
  });
});

describe('the features of an embedding', () => {
  const { shape, movement, contrast, balance, dynamics } = EMBEDDING_NORMS;
  const meansOf = (norms: readonly number[][]) => norms.map(([mean]) => mean!);
  const spreadsAbove = ([mean, spread]: readonly number[], spreads: number) => mean! + spreads * spread!;

  /** A recording whose timbre and dynamics are those of the mean recording; the rest is unknown. */
  function makeInput(
    { mfccMean = meansOf(shape), contrastDb = meansOf(contrast) } = {},
    known: object = {},
  ): EmbeddingInput {
    const timbre = {
      mfccMean: [0, ...mfccMean],
      mfccCovariance: movement.map(([deviation], k) =>
        movement.map((_, n) => (n === k ? deviation! ** 2 : 0)),
      ),
      centroidHz: 1500,
      contrastDb,
      tonalBalance: meansOf(balance).map((deviationDb) => ({ deviationDb })),
    };
    const loudness = { plrLu: dynamics[0]![0], rangeLu: dynamics[1]![0] };
    return {
      timbre,
      loudness,
      rhythm: null,
      tonal: null,
      hidden: null,
      ...known,
    } as unknown as EmbeddingInput;
  }
  /** The mean recording but for the first coefficient of its shape, one spread up. */
  const oneSpreadUp = { mfccMean: [spreadsAbove(shape[0]!, 1), ...meansOf(shape).slice(1)] };

  it('are spreads from the mean, of three at most, times the weight of the group; at the mean or unknown they are 0', () => {
    const contrastDb = [spreadsAbove(contrast[0]!, 10), ...meansOf(contrast).slice(1)];
    const vector = embed(makeInput({ ...oneSpreadUp, contrastDb }))!;
    expect([...vector.entries()].flatMap(([at, value]) => (value === 0 ? [] : [at]))).toEqual([0, 25]);
    // Weights of 1 for the twelve of the shape, and 0.6 for the six of the contrast.
    expect(vector[25]! / vector[0]!).toBeCloseTo((3 * 0.6) / Math.sqrt(6) / (1 / Math.sqrt(12)), 5);
  });

  it('have the hidden units of the tagger at their end, with a weight of 2', () => {
    const hidden = HIDDEN_NORMS.mean.map((mean, k) => (k === 7 ? mean - HIDDEN_NORMS.spread[k]! : mean));
    const vector = embed(makeInput(oneSpreadUp, { hidden }))!;
    expect(vector[57]! / vector[0]!).toBeCloseTo(-2 / Math.sqrt(200) / (1 / Math.sqrt(12)), 5);
  });

  it('do not change with the key, nor between a tempo and its half', () => {
    const chroma = [1, 0, 0.2, 0, 0.6, 0.1, 0, 0.8, 0, 0.3, 0, 0.1];
    const hear = (bpm: number, semitones: number) =>
      embed(
        makeInput(oneSpreadUp, {
          rhythm: { bpm, stability: 0.9, onsetRateHz: 3 },
          tonal: { chroma: chroma.map((_, p) => chroma[(p + semitones) % 12]!) },
        }),
      )!;
    const vector = hear(150, 0);
    for (const other of [hear(75, 0), hear(150, 5)]) {
      other.forEach((value, at) => {
        expect(value).toBeCloseTo(vector[at]!, 6);
      });
    }
    expect(hear(140, 0)[44]).not.toBeCloseTo(vector[44]!, 2);
  });
});
