import { designFingerprintFilter, toIntegerRows } from './fingerprint-filter.ts';

/** The twin of the integer path of the resampler, for one channel of 16-bit integers. */
export function resampleIntegersTwin(samples: ArrayLike<number>, sampleRateHz: number): number[] {
  const filter = designFingerprintFilter(sampleRateHz);
  const { tapCount, rowTapCount, centreTap, rowCount, up, down } = filter;
  if (centreTap > 0 && samples.length <= tapCount) return [];
  const rows = toIntegerRows(filter.rows);
  const out: number[] = [];
  for (let n = 0; ; n++) {
    const first = Math.floor((n * down) / up) - centreTap;
    const row = Math.floor((((n * down) % up) * rowCount) / up);
    if (first + tapCount > samples.length) return out;
    let sum = 0;
    for (let tap = 0; tap < tapCount; tap++) {
      sum += samples[Math.abs(first + tap)]! * rows[row * rowTapCount + tap]!;
    }
    out.push(Math.max(-32768, Math.min(32767, Math.floor((sum + 16384) / 32768))));
  }
}
