/**
 * Is the tempo right? Accuracy 1 within 4 %; Accuracy 2 forgives factors of 2 and 3: Gouyon et al., "An Experimental
 * Comparison of Audio Tempo Induction Algorithms", IEEE TASLP 14(5), 2006.
 */

/** Both from the paper. */
const TOLERANCE_RATIO = 0.04;
const FORGIVEN_FACTORS = [1, 2, 3, 1 / 2, 1 / 3];

export function tempoAccuracy1(referenceBpm: number, estimateBpm: number): boolean {
  return Math.abs(estimateBpm - referenceBpm) <= TOLERANCE_RATIO * referenceBpm;
}

export function tempoAccuracy2(referenceBpm: number, estimateBpm: number): boolean {
  return FORGIVEN_FACTORS.some((factor) => tempoAccuracy1(referenceBpm * factor, estimateBpm));
}
