/**
 * What is the evidence for each of the 24 keys in a passage of music?
 *
 * The sum of two: the correlation of the mean chroma with the pitch-class profile of every key (the method of Krumhansl and Schmuckler), and the logits
 * of the network's key head, if there is a network. The profiles are those of Albrecht and Shanahan, counted in 490 pieces: on the dev
 * corpus they find 35 of 40 keys, Krumhansl's ratings 30 and Temperley's profiles 28.
 *
 * Both need only sums over time, so the piece is kept as sums over blocks of a few seconds, from which any passage can be rated.
 *
 * Krumhansl, "Cognitive Foundations of Musical Pitch", Oxford 1990, chapter 4. Albrecht and Shanahan, "The Use of Large Corpora to Train a
 * New Type of Key-Finding Algorithm", Music Perception 31(1), 2013, table 2.
 */

import type { FloatFrames } from '../signal/frame-matrix.ts';
import type { Style } from '../tags/style.ts';
import { KEY_COUNT, PITCH_CLASS_COUNT, scaleOf } from './key-name.ts';

const MAJOR_PROFILE = [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081];
const MINOR_PROFILE = [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052];
/** Log-odds per unit of correlation. On excerpts of 10 s to 135 s of the dev corpus, the key is right most often for weights from 10 to 20. */
const PROFILE_WEIGHT_LOG_ODDS = 12;
/**
 * Corrections for the network, which mistakes minor songs for their relative major, and blues and rock on a minor scale for the parallel major. Every
 * minor key gains MINOR_BIAS_LOG_ODDS, and every major key loses FLAT_SEVENTH_COST_LOG_ODDS for each twelfth of the chroma on its flat seventh. Styles
 * differ in what they call minor, so minor keys also gain STYLE_BIAS_LOG_ODDS for each standard deviation by which the style stands out (tags/style.ts).
 * Fitted on 387 recordings and the dev corpus. In ten-fold cross-validation .717 of the recordings are right, and .683 without the style (MIREX score .760
 * and .733); of the dev songs .925 (.948), with or without.
 */
const MINOR_BIAS_LOG_ODDS = 0.9;
const STYLE_BIAS_LOG_ODDS = { blues: 1.2, country: -0.95, metal: 0.6, happy: -0.5 } as const;
const FLAT_SEVENTH_COST_LOG_ODDS = 1.5;
const FLAT_SEVENTH_SEMITONES = 10;

/** Short enough to place a key change within about two bars. */
export const KEY_BLOCK_SECONDS = 2.5;

/** A shorter silence is a rest. In a longer one, noise must not count as evidence for a key. Set by hand. */
const SILENCE_SECONDS_MIN = 15;

export function blockFramesAt(frameRateHz: number): number {
  return Math.max(1, Math.round(KEY_BLOCK_SECONDS * frameRateHz));
}

/** The last layers of the network for keys: from the mean of its features over time to 24 log-probabilities. */
export type KeyHead = {
  featureCount: number;
  score(meanFeatures: Float32Array): Float32Array;
};

/** Consecutive blocks of frames. */
export type KeyBlocks = {
  blockCount: number;
  blockFrames: number;
  frameRateHz: number;
  /** How many frames of each block count as evidence: none inside a long silence. */
  soundingFrames: Float64Array;
  /** Sums of each block, PITCH_CLASS_COUNT values. */
  chroma: Float32Array;
  /** Added to every minor key, if there is a network. */
  minorBiasLogOdds: number;
  /** Whether drums and a rapping voice mask the pitches, so that the same evidence is less reliable. */
  isMasked: boolean;
  /** The network's features, summed over the frames of each block; null without a network. */
  learned: { head: KeyHead; features: Float32Array } | null;
};

/** `silent` is 1 for silent frames. */
export function createKeyBlocks(
  chroma: FloatFrames,
  {
    learned,
    style,
    isMasked,
    silent,
  }: Pick<KeyBlocks, 'learned' | 'isMasked'> & { style: Style | null; silent: Uint8Array },
): KeyBlocks {
  const blockFrames = blockFramesAt(chroma.frameRateHz);
  const blockCount = Math.ceil(chroma.frameCount / blockFrames);
  const sums = new Float32Array(blockCount * PITCH_CLASS_COUNT);
  for (let frame = 0; frame < chroma.frameCount; frame++) {
    const block = Math.floor(frame / blockFrames) * PITCH_CLASS_COUNT;
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
      sums[block + p]! += chroma.data[frame * PITCH_CLASS_COUNT + p]!;
    }
  }
  return {
    blockCount,
    blockFrames,
    frameRateHz: chroma.frameRateHz,
    soundingFrames: countSoundingFrames(silent, blockFrames, SILENCE_SECONDS_MIN * chroma.frameRateHz),
    chroma: sums,
    minorBiasLogOdds: findMinorBias(style),
    isMasked,
    learned,
  };
}

/** The number of frames of each block, but 0 for a block inside a silence of at least `silenceFrames`. */
function countSoundingFrames(silent: Uint8Array, blockFrames: number, silenceFrames: number): Float64Array {
  const frameCount = silent.length;
  const counts = Float64Array.from({ length: Math.ceil(frameCount / blockFrames) }, (_, block) =>
    Math.min(blockFrames, frameCount - block * blockFrames),
  );
  let start = 0;
  for (let frame = 0; frame <= frameCount; frame++) {
    if (silent[frame] === 1) continue;
    if (frame - start >= silenceFrames) {
      const end = frame === frameCount ? counts.length : Math.floor(frame / blockFrames);
      counts.fill(0, Math.ceil(start / blockFrames), end);
    }
    start = frame + 1;
  }
  return counts;
}

function findMinorBias(style: Style | null): number {
  if (style === null) return MINOR_BIAS_LOG_ODDS;
  const { blues, country, metal, happy } = STYLE_BIAS_LOG_ODDS;
  return (
    MINOR_BIAS_LOG_ODDS +
    blues * style.blues +
    country * style.country +
    metal * style.metal +
    happy * style.happy
  );
}

/** Log-odds of the 24 keys, up to a common constant, in blocks `from` up to, not including, `to`. */
export function weighKeys(blocks: KeyBlocks, from: number, to: number): Float64Array {
  const chroma = sumRows(blocks, blocks.chroma, PITCH_CLASS_COUNT, from, to);
  const evidence = correlateProfiles(chroma);
  for (let key = 0; key < KEY_COUNT; key++) evidence[key]! *= PROFILE_WEIGHT_LOG_ODDS;
  const frameCount = blocks.soundingFrames.subarray(from, to).reduce((sum, count) => sum + count, 0);
  if (!blocks.learned || frameCount === 0) return evidence;
  const { head, features } = blocks.learned;
  const meanFeatures = Float32Array.from(
    sumRows(blocks, features, head.featureCount, from, to),
    (sum) => sum / frameCount,
  );
  const logits = head.score(meanFeatures);
  const meanChroma = chroma.reduce((sum, value) => sum + value, 0) / PITCH_CLASS_COUNT;
  for (let key = 0; key < KEY_COUNT; key++) {
    const flatSeventh = chroma[(key + FLAT_SEVENTH_SEMITONES) % PITCH_CLASS_COUNT]! / (meanChroma || 1);
    evidence[key]! +=
      logits[key]! +
      (scaleOf(key) === 'minor' ? blocks.minorBiasLogOdds : -FLAT_SEVENTH_COST_LOG_ODDS * flatSeventh);
  }
  return evidence;
}

/** The Pearson correlation of a chroma vector with every key's profile; 0 for a flat chroma. */
export function correlateProfiles(chroma: ArrayLike<number>): Float64Array {
  const out = new Float64Array(KEY_COUNT);
  for (let key = 0; key < KEY_COUNT; key++) {
    const profile = key < PITCH_CLASS_COUNT ? MAJOR_PROFILE : MINOR_PROFILE;
    out[key] = correlateRotated(chroma, profile, key % PITCH_CLASS_COUNT);
  }
  return out;
}

function correlateRotated(chroma: ArrayLike<number>, profile: readonly number[], tonic: number): number {
  let meanChroma = 0;
  let meanProfile = 0;
  for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
    meanChroma += chroma[p]! / PITCH_CLASS_COUNT;
    meanProfile += profile[p]! / PITCH_CLASS_COUNT;
  }
  let product = 0;
  let chromaSquares = 0;
  let profileSquares = 0;
  for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
    const x = chroma[(p + tonic) % PITCH_CLASS_COUNT]! - meanChroma;
    const y = profile[p]! - meanProfile;
    product += x * y;
    chromaSquares += x * x;
    profileSquares += y * y;
  }
  return chromaSquares > 0 ? product / Math.sqrt(chromaSquares * profileSquares) : 0;
}

function sumRows(
  { soundingFrames }: KeyBlocks,
  values: Float32Array,
  width: number,
  from: number,
  to: number,
): Float64Array {
  const sum = new Float64Array(width);
  for (let row = from; row < to; row++) {
    if (soundingFrames[row] === 0) continue;
    for (let i = 0; i < width; i++) sum[i]! += values[row * width + i]!;
  }
  return sum;
}
