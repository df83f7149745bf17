/**
 * How alike are bars i and j, up to a few hundred bars apart?
 *
 * Two mixtures of the bar descriptions. `texture` (rhythm, sound, timbre) tells whether two bars are played alike: sections are blocks of it.
 * `content` (melody, rhythm, sound) tells whether two bars are the same bar: repetitions are diagonals of it.
 *
 * Only a band about the diagonal is kept, so that memory and time grow with the length of the piece and not with its square; a repetition
 * further apart than the band (about eight minutes) goes unnoticed.
 */

import type { BarFeatures, BarVectors } from './bar-features.ts';

export const LAG_BARS_MAX = 256;

export type SimilarityBand = {
  barCount: number;
  /** Lags 0 to lagCount - 1 are held. */
  lagCount: number;
  /** Of bars i and i + lag at [i * lagCount + lag], -1..1. */
  values: Float32Array;
};

export type SelfSimilarity = { texture: SimilarityBand; content: SimilarityBand };

/** Shares of the descriptions. Each alone finds fewer sections; the weights are round numbers, not optima. */
const TEXTURE = { rhythm: 0.5, sound: 0.25, timbre: 0.25 };
const CONTENT = { rhythm: 0.25, sound: 0.25, melody: 0.5 };

export function compareBars(features: BarFeatures): SelfSimilarity {
  const barCount = features.rhythm.barCount;
  const texture = createBand(barCount);
  const content = createBand(barCount);
  for (let i = 0; i < barCount; i++) {
    for (let lag = 0; lag < texture.lagCount && i + lag < barCount; lag++) {
      const rhythm = dot(features.rhythm, i, i + lag);
      const sound = dot(features.sound, i, i + lag);
      const at = i * texture.lagCount + lag;
      texture.values[at] =
        TEXTURE.rhythm * rhythm + TEXTURE.sound * sound + TEXTURE.timbre * dot(features.timbre, i, i + lag);
      content.values[at] =
        CONTENT.rhythm * rhythm + CONTENT.sound * sound + CONTENT.melody * dot(features.melody, i, i + lag);
    }
  }
  return { texture, content };
}

/** Similarity of two bars; null when they are too far apart to have been compared. */
export function similarityOf(band: SimilarityBand, a: number, b: number): number | null {
  const lag = Math.abs(b - a);
  return lag < band.lagCount ? band.values[Math.min(a, b) * band.lagCount + lag]! : null;
}

function createBand(barCount: number): SimilarityBand {
  const lagCount = Math.min(barCount, LAG_BARS_MAX);
  return { barCount, lagCount, values: new Float32Array(barCount * lagCount) };
}

function dot({ width, data }: BarVectors, a: number, b: number): number {
  const atA = a * width;
  const atB = b * width;
  let sum = 0;
  for (let i = 0; i < width; i++) sum += data[atA + i]! * data[atB + i]!;
  return sum;
}
