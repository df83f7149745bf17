import {
  compressionGain,
  createSemitoneWeights,
  SEMITONE_COUNT,
  WEIGHT_REACH_BANDS,
  WHITENING_REACH_SEMITONES,
} from './semitones.ts';

/** Twin of the kernel takeSemitones, for one frame of bands. */
export function takeSemitonesTwin(bands: Float32Array, rms: number, tuningCents: number): Float64Array {
  const { firstBands, weights } = createSemitoneWeights(tuningCents);
  const semitones = Float64Array.from(firstBands, (firstBand, s) => {
    let sum = 0;
    for (let k = 0; k < WEIGHT_REACH_BANDS; k++) {
      sum += weights[s * WEIGHT_REACH_BANDS + k]! * (bands[firstBand + k] ?? 0);
    }
    return Math.log1p(compressionGain(rms) * sum);
  });
  return whiten(semitones);
}

/** Subtracts from each value the mean of those up to WHITENING_REACH_SEMITONES away; 0 where that is negative. */
function whiten(values: Float64Array): Float64Array {
  const reachSemitones = WHITENING_REACH_SEMITONES;
  const out = new Float64Array(SEMITONE_COUNT);
  let sum = 0;
  for (let s = 0; s < reachSemitones; s++) sum += values[s]!;
  for (let s = 0; s < SEMITONE_COUNT; s++) {
    if (s + reachSemitones < SEMITONE_COUNT) sum += values[s + reachSemitones]!;
    if (s - reachSemitones > 0) sum -= values[s - reachSemitones - 1]!;
    const count = Math.min(SEMITONE_COUNT - 1, s + reachSemitones) - Math.max(0, s - reachSemitones) + 1;
    out[s] = Math.max(0, values[s]! - sum / count);
  }
  return out;
}
