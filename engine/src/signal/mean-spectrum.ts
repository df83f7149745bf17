/**
 * The mean power spectrum of a whole file at its own sampling rate, up to Nyquist.
 *
 * Welch, "The Use of Fast Fourier Transform for the Estimation of Power Spectra", IEEE Trans. Audio and Electroacoustics 15(2), 1967:
 * the average of windowed periodograms of short frames. His frames overlap; here only every third block of 4096 samples is a frame (3.6 a
 * second of CD audio), which is enough for a mean and costs little.
 */

import { createHannWindow, createRealFft } from './fft.ts';
import type { Kernels } from './kernels.ts';

const FFT_SIZE = 4096;
const BLOCK_STEP = 3;

export type MeanSpectrum = {
  binHz: number;
  frameCount: number;
  /** A sine of full scale has the power 1 in its bin. */
  powers: Float64Array;
};

export type MeanSpectrumMeter = {
  /** Takes a block of mono samples at the address `input`; ignores blocks shorter than 4096. */
  take(input: number, sampleCount: number): void;
  finish(): MeanSpectrum;
};

export function createMeanSpectrumMeter(kernels: Kernels, sampleRateHz: number): MeanSpectrumMeter {
  const fft = createRealFft(kernels, FFT_SIZE);
  const window = kernels.copyFloats(createHannWindow(FFT_SIZE));
  const powers = kernels.allocateDoubles(fft.binCount);
  // Half the amplitude of a sine is at its negative frequency, and a Hann window has a mean of one half.
  const sineGain = FFT_SIZE / 4;
  let blockCount = 0;
  let frameCount = 0;

  return {
    take(input, sampleCount) {
      if (sampleCount < FFT_SIZE || blockCount++ % BLOCK_STEP !== 0) return;
      fft.transform(input, window.pointer);
      kernels.exports.addPowers(fft.re.pointer, fft.im.pointer, powers.length, powers.pointer);
      frameCount++;
    },
    finish: () => ({
      binHz: sampleRateHz / FFT_SIZE,
      frameCount,
      powers: powers.view.map((power) => power / (sineGain ** 2 * Math.max(1, frameCount))),
    }),
  };
}
