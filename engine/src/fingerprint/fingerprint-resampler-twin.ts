import { designFingerprintFilter, toIntegerRows } from './fingerprint-filter.ts';

/** The twin of the integer path, for one channel of 16-bit integers. */
export function resampleIntegersReference(samples: ArrayLike<number>, sampleRateHz: number): number[] {
  const filter = designFingerprintFilter(sampleRateHz);
  const { length, rowLength, centre, rowCount, up, down } = filter;
  if (centre > 0 && samples.length <= length) return [];
  const rows = toIntegerRows(filter.rows);
  const out: number[] = [];
  for (let n = 0; ; n++) {
    const first = Math.floor((n * down) / up) - centre;
    const row = Math.floor((((n * down) % up) * rowCount) / up);
    if (first + length > samples.length) return out;
    let sum = 0;
    for (let tap = 0; tap < length; tap++) {
      sum += samples[Math.abs(first + tap)]! * rows[row * rowLength + tap]!;
    }
    out.push(Math.max(-32768, Math.min(32767, Math.floor((sum + 16384) / 32768))));
  }
}
