import { describe, expect, it } from 'vitest';
import { HIDDEN_NORMS, type Norms } from '../tags/tag-norms.ts';
import { type EmbeddingInput, embed } from './embedding.ts';
import { EMBEDDING_NORMS } from './embedding-norms.ts';

const { shape, movement, contrast, balance, harmony, rhythm, dynamics } = EMBEDDING_NORMS;

/** The norms of the rhythm without sine and cosine of the tempo. */
const STEADINESS: Norms = { mean: rhythm.mean.slice(2), spread: rhythm.spread.slice(2) };

/** The means of the features, the first of them raised by so many spreads. */
function raiseFirst({ mean, spread }: Norms, spreads: number): number[] {
  return mean.map((centre, index) => (index === 0 ? centre + spreads * spread[0]! : centre));
}

/** A chroma whose Fourier transform has these magnitudes, as shares of that at 0. */
function makeChroma(shares: readonly number[]): number[] {
  return Array.from({ length: 12 }, (_, n) =>
    shares.reduce((sum, share, index) => {
      // All but the sixth occur twice in the transform of a real signal.
      const weight = index === 5 ? 1 : 2;
      return sum + weight * share * Math.cos((2 * Math.PI * (index + 1) * n) / 12);
    }, 1),
  );
}

type Raised = Partial<Record<keyof typeof EMBEDDING_NORMS, number>>;

/** A recording whose features are at their means, the first of a group raised by so many spreads. Tempo and hidden units are unknown. */
function makeInput(raised: Raised): EmbeddingInput {
  const valuesOf = (name: keyof typeof EMBEDDING_NORMS) =>
    raiseFirst(EMBEDDING_NORMS[name], raised[name] ?? 0);
  const deviations = valuesOf('movement');
  const [plrLu, rangeLu] = valuesOf('dynamics');
  const [stability, onsetRateHz] = raiseFirst(STEADINESS, raised.rhythm ?? 0);
  return {
    timbre: {
      // The first coefficient is the level, which does not count.
      mfccMean: [0, ...valuesOf('shape')],
      mfccCovariance: deviations.map((deviation, k) =>
        deviations.map((_, n) => (n === k ? deviation ** 2 : 0)),
      ),
      centroidHz: 1500,
      contrastDb: valuesOf('contrast'),
      tonalBalance: valuesOf('balance').map((deviationDb) => ({ deviationDb })),
    },
    loudness: { plrLu, rangeLu },
    rhythm: { bpm: null, stability, onsetRateHz },
    tonal: { chroma: makeChroma(valuesOf('harmony')) },
    hidden: null,
  } as unknown as EmbeddingInput;
}

/** The values that differ from 0, by their index. */
const listNonZero = (vector: number[] | null) =>
  vector!.flatMap((value, index) => (value === 0 ? [] : [[index, value] as const]));

describe('a feature', () => {
  const weigh = (weight: number, { mean }: Norms) => weight / Math.sqrt(mean.length);
  const shapeWeight = weigh(1, shape);

  it.each([
    ['movement', 12, weigh(0.6, movement)],
    ['contrast', 25, weigh(0.6, contrast)],
    ['balance', 31, weigh(0.7, balance)],
    ['harmony', 38, weigh(0.5, harmony)],
    // After sine and cosine of the tempo, which is unknown.
    ['rhythm', 46, weigh(0.6, rhythm)],
    ['dynamics', 48, weigh(0.4, dynamics)],
  ] as const)(
    'of %s counts as spreads from the mean times the weight of the group',
    (name, index, weight) => {
      const [first, second, ...others] = listNonZero(embed(makeInput({ shape: 1, [name]: 2 })));
      expect(others).toEqual([]);
      expect([first![0], second![0]]).toEqual([0, index]);
      // Each is rounded to seven decimals.
      expect(second![1] / first![1]).toBeCloseTo((2 * weight) / shapeWeight, 5);
    },
  );

  it('counts three spreads at most', () => {
    const [first, second] = listNonZero(embed(makeInput({ shape: 1, contrast: 10 })));
    expect(second![1] / first![1]).toBeCloseTo((3 * weigh(0.6, contrast)) / shapeWeight, 5);
  });

  it('of the tempo is the cosine or sine of an angle that turns once an octave, from 120 BPM on', () => {
    const input = makeInput({ shape: 1 });
    const embedTempo = (bpm: number) =>
      embed({ ...input, rhythm: { ...input.rhythm!, bpm } })!.map((value, _, [first]) => value / first!);
    const [meanOfCosine, meanOfSine] = rhythm.mean;
    const [spreadOfCosine, spreadOfSine] = rhythm.spread;
    const weight = weigh(0.6, rhythm) / shapeWeight;
    const reference = embedTempo(120);
    // Numbers are rounded to seven decimals before the division.
    expect(reference[44]).toBeCloseTo((weight * (1 - meanOfCosine!)) / spreadOfCosine!, 5);
    expect(reference[45]).toBeCloseTo((weight * (0 - meanOfSine!)) / spreadOfSine!, 5);
    const quarterTurn = embedTempo(120 * 2 ** 0.25);
    expect(quarterTurn[44]).toBeCloseTo((weight * (0 - meanOfCosine!)) / spreadOfCosine!, 5);
    expect(quarterTurn[45]).toBeCloseTo((weight * (1 - meanOfSine!)) / spreadOfSine!, 5);
  });

  it('of the hidden units comes last, with a weight of 2', () => {
    const hidden = HIDDEN_NORMS.mean.map((mean, k) => (k === 7 ? mean - HIDDEN_NORMS.spread[k]! : mean));
    const [first, second] = listNonZero(embed({ ...makeInput({ shape: 1 }), hidden }));
    expect(second![0]).toBe(57);
    expect(second![1] / first![1]).toBeCloseTo(-weigh(2, HIDDEN_NORMS) / shapeWeight, 5);
  });
});

it('there is none without a centroid, which a recording has if it has any sound', () => {
  const input = makeInput({ shape: 1 });
  expect(embed({ ...input, timbre: { ...input.timbre, centroidHz: null } })).toBeNull();
});
