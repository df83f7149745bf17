/**
 * Bandwidth, and whether the sound has been through a lossy encoder.
 *
 * The mean power spectrum of the whole file: the bandwidth is the highest frequency still above the noise of 16-bit samples.
 * Instruments and microphones fade out towards high frequencies; MP3, AAC and Vorbis encoders cut off at 11 to 20.5 kHz, with a cliff
 * of tens of decibels within a few hundred hertz. A file resampled from a lower rate shows the same cliff and is called
 * the same: what is above it is lost either way.
 */

import type { Quality } from '../result.ts';
import { createHannWindow, createRealFft } from '../signal/fft.ts';
import type { Kernels } from '../signal/kernels.ts';

const FFT_SIZE = 4096;
/** Every third block of 4096: four frames a second of CD audio. */
const BLOCK_STEP = 3;
const FRAMES_MIN = 4;
/** Dither of 16 bits lies near -124 dBFS in a bin of this size. */
const AUDIBLE_DBFS = -110;
const SMOOTHING_BINS = 3;
/** Mean levels are compared over this range on either side of the edge, leaving the slope itself out. */
const SIDE_HZ = 1000;
const SLOPE_HZ = 250;
const CLIFF_DB_MIN = 20;
const CLIFF_DB_SURE = 50;
const ENCODER_CUTOFF_HZ = { min: 10_000, max: 20_700 };
/** Below this rate an encoder's cut would lie beyond Nyquist. */
const SAMPLE_RATE_HZ_MIN = 40_000;

export type BandwidthMeter = {
  /** `count` mono samples at `input`. */
  take(input: number, count: number): void;
  finish(): Pick<Quality, 'bandwidthHz' | 'lossyTranscode'>;
};

export function createBandwidthMeter(kernels: Kernels, sampleRateHz: number): BandwidthMeter {
  const fft = createRealFft(kernels, FFT_SIZE);
  const window = kernels.copyFloats(createHannWindow(FFT_SIZE));
  const powers = new Float64Array(fft.binCount);
  let blockCount = 0;
  let frameCount = 0;

  return {
    take(input, count) {
      if (count < FFT_SIZE || blockCount++ % BLOCK_STEP !== 0) return;
      fft.transform(input, window.pointer);
      const re = fft.re.view;
      const im = fft.im.view;
      for (let bin = 0; bin < powers.length; bin++) powers[bin]! += re[bin]! ** 2 + im[bin]! ** 2;
      frameCount++;
    },
    finish() {
      const unknown = { verdict: 'unknown', cutoffHz: null, confidence: 0 } as const;
      if (frameCount < FRAMES_MIN) return { bandwidthHz: null, lossyTranscode: unknown };
      const levels = toSmoothLevels(powers, frameCount);
      const edgeBin = levels.findLastIndex((level) => level > AUDIBLE_DBFS);
      if (edgeBin < 1) return { bandwidthHz: null, lossyTranscode: unknown };
      const binHz = sampleRateHz / FFT_SIZE;
      return {
        bandwidthHz: edgeBin * binHz,
        lossyTranscode: sampleRateHz < SAMPLE_RATE_HZ_MIN ? unknown : judgeCliff(levels, edgeBin, binHz),
      };
    },
  };
}

function judgeCliff(levels: Float64Array, edgeBin: number, binHz: number): Quality['lossyTranscode'] {
  const meanBetween = (fromHz: number, toHz: number): number => {
    const first = Math.max(0, Math.round(edgeBin + fromHz / binHz));
    const part = levels.subarray(first, Math.round(edgeBin + toHz / binHz) + 1);
    return part.length === 0 ? Number.NaN : part.reduce((sum, level) => sum + level, 0) / part.length;
  };
  const edgeHz = edgeBin * binHz;
  const cliffDb = meanBetween(-SIDE_HZ, -SLOPE_HZ) - meanBetween(SLOPE_HZ, SIDE_HZ);
  const inRange = edgeHz >= ENCODER_CUTOFF_HZ.min && edgeHz <= ENCODER_CUTOFF_HZ.max;
  if (inRange && cliffDb >= CLIFF_DB_MIN) {
    return {
      verdict: 'likely',
      cutoffHz: edgeHz,
      confidence: Math.min(1, cliffDb / CLIFF_DB_SURE),
    };
  }
  // High-rate encoders cut above 20 kHz or not at all, so a full band proves less than a cliff does.
  return { verdict: 'unlikely', cutoffHz: null, confidence: inRange ? 0.6 : 0.8 };
}

/** Level of a sine of the same power in each bin, in dBFS, averaged over its neighbours. */
function toSmoothLevels(powers: Float64Array, frameCount: number): Float64Array {
  const sineGain = FFT_SIZE / 4;
  return powers.map((_, bin) => {
    const first = Math.max(0, bin - SMOOTHING_BINS);
    const part = powers.subarray(first, bin + SMOOTHING_BINS + 1);
    const mean = part.reduce((sum, power) => sum + power, 0) / (part.length * frameCount);
    return 10 * Math.log10(mean / sineGain ** 2 + 1e-20);
  });
}
