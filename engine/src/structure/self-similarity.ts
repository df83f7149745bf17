/**
 * How similar are two bars up to a few hundred bars apart?
 *
 * Two weighted sums of cosines of the bar features. `texture` (rhythm, sound, timbre) tells whether two bars are played alike: sections are blocks of it.
 * `content` (melody, rhythm, sound) tells whether two bars are the same: repetitions are diagonals of it.
 *
 * Only a band along the diagonal of the matrix is computed, so that memory and time grow with the length of the piece and not with its square.
 * Repetitions further apart, over about eight minutes, are not found.
 *
 * Self-similarity of music: Foote, "Visualizing Music and Audio using Self-Similarity", ACM Multimedia 1999.
 */

import { createKernels } from '../signal/kernels.ts';
import type { BarFeatures } from './bar-features.ts';

/** Eight and a half minutes of two-second bars, longer than most songs. */
export const LAG_BARS_MAX = 256;

export type SimilarityBand = {
  barCount: number;
  /** The band has lags 0 to lagCount - 1. */
  lagCount: number;
  /** The similarity of bars i and i + lag at [i * lagCount + lag], -1..1. */
  values: Float32Array;
};

export type SelfSimilarity = { texture: SimilarityBand; content: SimilarityBand };

/** Weights of the features: round numbers, not optima. Each feature alone finds fewer sections. */
const TEXTURE = { rhythm: 0.5, sound: 0.25, timbre: 0.25 };
const CONTENT = { rhythm: 0.25, sound: 0.25, melody: 0.5 };

export function compareBars(features: BarFeatures): SelfSimilarity {
  const kernels = createKernels();
  const { addLikenesses } = kernels.exports;
  const barCount = features.rhythm.barCount;
  const texture = createBand(barCount);
  const content = createBand(barCount);
  const { lagCount } = texture;
  const [textureRow, contentRow] = [kernels.allocateDoubles(lagCount), kernels.allocateDoubles(lagCount)];
  const weighted = [
    { ...features.rhythm, textureShare: TEXTURE.rhythm, contentShare: CONTENT.rhythm },
    { ...features.sound, textureShare: TEXTURE.sound, contentShare: CONTENT.sound },
    { ...features.timbre, textureShare: TEXTURE.timbre, contentShare: 0 },
    { ...features.melody, textureShare: 0, contentShare: CONTENT.melody },
  ].map((feature) => ({ ...feature, vectors: kernels.copyFloats(feature.data).pointer }));
  for (let bar = 0; bar < barCount; bar++) {
    const count = Math.min(lagCount, barCount - bar);
    textureRow.view.fill(0);
    contentRow.view.fill(0);
    for (const { vectors, width, textureShare, contentShare } of weighted) {
      const vector = vectors + bar * width * Float32Array.BYTES_PER_ELEMENT;
      addLikenesses(vector, width, count, textureShare, textureRow.pointer, contentShare, contentRow.pointer);
    }
    texture.values.set(textureRow.view.subarray(0, count), bar * lagCount);
    content.values.set(contentRow.view.subarray(0, count), bar * lagCount);
  }
  return { texture, content };
}

/** The similarity of bars `a` and `b`; null if they are too far apart to have been compared. */
export function similarityOf(band: SimilarityBand, a: number, b: number): number | null {
  const lag = Math.abs(b - a);
  return lag < band.lagCount ? band.values[Math.min(a, b) * band.lagCount + lag]! : null;
}

function createBand(barCount: number): SimilarityBand {
  const lagCount = Math.min(barCount, LAG_BARS_MAX);
  return { barCount, lagCount, values: new Float32Array(barCount * lagCount) };
}
