import type { Config } from '../config.ts';
import type { Analysis } from './analysis.ts';

export type SourceLimits = { bytesMax: number; durationSecondsMax: number };

/** The contract promises the demo 20 MB and 10 minutes. */
const DEMO_BYTES_MAX = 20_000_000;
const DEMO_SECONDS_MAX = 600;

/** The size and length that a source may have: less for the demo, which is free and anonymous. */
export function sourceLimitsOf(config: Pick<Config, 'limits'>, surface: Analysis['surface']): SourceLimits {
  const { uploadBytesMax, audioSecondsMax } = config.limits;
  if (surface !== 'demo') return { bytesMax: uploadBytesMax, durationSecondsMax: audioSecondsMax };
  return {
    bytesMax: Math.min(uploadBytesMax, DEMO_BYTES_MAX),
    durationSecondsMax: Math.min(audioSecondsMax, DEMO_SECONDS_MAX),
  };
}
