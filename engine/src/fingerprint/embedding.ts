/**
 * Which recordings sound alike? A unit vector per recording; the dot product of two is their similarity.
 *
 * It holds the hidden units of the first tagger (what kind of sound) and statistics of the other groups (timbre, tonal balance, harmony,
 * rhythm, dynamics), each standardised by its mean and spread (standard deviation) over music and weighted by group. Harmony is the
 * magnitude of the Fourier transform of the mean chroma, which does not change with transposition; tempo is an angle that turns once per
 * octave, so that half time is the same. An unknown value is 0, like the mean, and so counts neither for nor against. The method is ours.
 * How often the nearest neighbour has the same genre: docs/accuracy.md.
 */

import type { Loudness, Rhythm, Timbre, Tonal } from '../result.ts';
import { HIDDEN_NORMS, type Norms } from '../tags/tag-norms.ts';
import { EMBEDDING_NORMS } from './embedding-norms.ts';

export type EmbeddingInput = {
  timbre: Timbre;
  loudness: Loudness;
  rhythm: Rhythm | null;
  tonal: Tonal | null;
  /** The hidden units of the first tagger; null when it did not run. */
  hidden: ArrayLike<number> | null;
};

/** Must be raised with every change of a feature, norm or weight: vectors of two versions cannot be compared. */
export const EMBEDDING_VERSION = 2;

/** Round numbers set by hand; the reasons were not recorded. */
const GROUP_WEIGHTS = {
  shape: 1,
  movement: 0.6,
  contrast: 0.6,
  balance: 0.7,
  harmony: 0.5,
  rhythm: 0.6,
  dynamics: 0.4,
};
/** The hidden units outweigh the statistics because they tell kinds of music apart. Set by hand. */
const HIDDEN_WEIGHT = 2;
/** Values further from the mean are clamped, so that no single one decides the similarity. */
const EXCESS_MAX_SPREADS = 3;
/** The tempo whose angle is 0. Arbitrary, but the norms of sine and cosine were measured with it. */
const TEMPO_REFERENCE_BPM = 120;
const CHROMA_HARMONICS = 6;

/** Null for a recording without sound. */
export function embed(input: EmbeddingInput): number[] | null {
  const groups = collectFeatures(input);
  if (groups === null) return null;
  const vector = (Object.keys(GROUP_WEIGHTS) as (keyof typeof GROUP_WEIGHTS)[]).flatMap((name) =>
    standardise(groups[name], EMBEDDING_NORMS[name], GROUP_WEIGHTS[name]),
  );
  vector.push(...standardise(input.hidden, HIDDEN_NORMS, HIDDEN_WEIGHT));
  const norm = Math.hypot(...vector);
  // Seven decimals exceed the accuracy of the features and keep the result short.
  return norm === 0 ? null : vector.map((value) => Math.round((value / norm) * 1e7) / 1e7);
}

/** Values in spreads from their means, 0 where unknown; the weight is shared among the values of the group. */
function standardise(
  values: ArrayLike<number | null> | null,
  { mean, spread }: Norms,
  groupWeight: number,
): number[] {
  const weight = groupWeight / Math.sqrt(mean.length);
  return mean.map((centre, k) => {
    const value = values?.[k] ?? null;
    if (value === null) return 0;
    const excessSpreads = (value - centre) / spread[k]!;
    return weight * Math.max(-EXCESS_MAX_SPREADS, Math.min(EXCESS_MAX_SPREADS, excessSpreads));
  });
}

type FeatureGroups = Record<keyof typeof GROUP_WEIGHTS, (number | null)[]>;

/** The features in their own units; those that are missing at the end of a group are unknown. */
function collectFeatures({ timbre, loudness, rhythm, tonal }: EmbeddingInput): FeatureGroups | null {
  if (timbre.centroidHz === null) return null;
  const tempoRadians = rhythm?.bpm ? 2 * Math.PI * Math.log2(rhythm.bpm / TEMPO_REFERENCE_BPM) : null;
  return {
    shape: timbre.mfccMean.slice(1),
    movement: timbre.mfccCovariance.map((row, k) => Math.sqrt(Math.max(0, row[k]!))),
    contrast: timbre.contrastDb,
    balance: timbre.tonalBalance.map(({ deviationDb }) => deviationDb),
    harmony: tonal && tonal.chroma.length > 0 ? describeChroma(tonal.chroma) : [],
    rhythm: [
      tempoRadians === null ? null : Math.cos(tempoRadians),
      tempoRadians === null ? null : Math.sin(tempoRadians),
      rhythm?.stability ?? null,
      rhythm?.onsetRateHz ?? null,
    ],
    dynamics: [loudness.plrLu, loudness.rangeLu],
  };
}

/** |X[k]| / X[0] of the Fourier transform over the twelve pitch classes, k = 1..6. */
function describeChroma(chroma: number[]): number[] {
  const total = chroma.reduce((a, b) => a + b, 0);
  return Array.from({ length: CHROMA_HARMONICS }, (_, index) => {
    const stepRadians = (2 * Math.PI * (index + 1)) / chroma.length;
    const re = chroma.reduce((sum, value, n) => sum + value * Math.cos(stepRadians * n), 0);
    const im = chroma.reduce((sum, value, n) => sum + value * Math.sin(stepRadians * n), 0);
    return total === 0 ? 0 : Math.hypot(re, im) / total;
  });
}
