import { wavBytes } from '../../scripts/wav-bytes.mjs';

const SAMPLE_RATE_HZ = 8_000;
/** Of the 32,767 steps of 16 bits: loud, and far from clipping. */
const PEAK_STEPS = 9_000;

/** A tone as 16-bit WAV, half a second long by default, which takes the service only moments to analyse. */
export function makeTone(options: { toneHz: number; seconds?: number }): Buffer {
  const samples = Int16Array.from({ length: Math.round((options.seconds ?? 0.5) * SAMPLE_RATE_HZ) }, (_, n) =>
    Math.round(PEAK_STEPS * Math.sin((2 * Math.PI * options.toneHz * n) / SAMPLE_RATE_HZ)),
  );
  return wavBytes(samples, { sampleRateHz: SAMPLE_RATE_HZ });
}
