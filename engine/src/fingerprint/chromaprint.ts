/**
 * Which recording is it? The fingerprint by which AcoustID and MusicBrainz find it: Chromaprint's algorithm 2, equal to that of fpcalc.
 *
 * Lalinský, "How does Chromaprint work?", 2011 (acoustid.org/chromaprint). Only the first 120 seconds count, as in fpcalc.
 */

import type { StagedBlock } from '../signal/block-stage.ts';
import type { Kernels } from '../signal/kernels.ts';
import { createChromaImage } from './chroma-image.ts';
import { classifyImage } from './classifiers.ts';
import { compressFingerprint } from './compress.ts';
import { FINGERPRINT_RATE_HZ } from './fingerprint-filter.ts';
import { createFingerprintResampler } from './fingerprint-resampler.ts';

const LENGTH_SECONDS = 120;

export type Chromaprint = {
  /** Null when the sound is too short for one word of the fingerprint, 2.73 seconds. */
  chromaprint: string | null;
  /** Length of the sound that was fingerprinted. */
  chromaprintDurationSeconds: number;
};

export type ChromaprintCollector = {
  take(block: StagedBlock): void;
  finish(): Chromaprint;
};

export function createChromaprintCollector(
  kernels: Kernels,
  sampleRateHz: number,
  channelCount: number,
): ChromaprintCollector {
  const resampler = createFingerprintResampler(kernels, sampleRateHz, channelCount);
  const image = createChromaImage(kernels);
  let missingSamples = LENGTH_SECONDS * FINGERPRINT_RATE_HZ;
  return {
    take(block) {
      if (missingSamples === 0) return;
      const samples = resampler.push(block).subarray(0, missingSamples);
      missingSamples -= samples.length;
      image.push(samples);
    },
    finish() {
      const words = classifyImage(image.finish());
      return {
        chromaprint: words.length === 0 ? null : compressFingerprint(words),
        chromaprintDurationSeconds: LENGTH_SECONDS - missingSamples / FINGERPRINT_RATE_HZ,
      };
    },
  };
}
