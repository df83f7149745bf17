/**
 * What does the waveform look like? The lowest and highest sample of each pixel, at three zoom levels, in audiowaveform's JSON format
 * (version 2, 8 bits, one channel: the mean of all, which is audiowaveform's default).
 *
 * A pixel of the finest level is 23 ms of CD audio and about as much at other rates, some twenty to a beat. Pixels half as long would take up as much
 * storage as the rest of a song's result. When a file reaches the maximum number of pixels, neighbours are merged and the step doubles, so memory and
 * result stay bounded for files of any length.
 */

import type { Waveform, WaveformLevel } from '../result.ts';
import type { Kernels } from '../signal/kernels.ts';

const FINEST_SECONDS_PER_PIXEL = 1024 / 44_100;
/** Twelve minutes of CD audio, longer than most songs, keep the finest step. */
const PIXELS_MAX = 32_768;
/** Samples per pixel of the three levels, as multiples of the finest step: 1024, 4096 and 16384 for a song of CD audio. */
const LEVEL_FACTORS = [1, 4, 16];

export type WaveformCollector = {
  /** Takes mono samples at the address `input`. */
  take(input: number, sampleCount: number): void;
  finish(): Waveform;
};

export function createWaveformCollector(kernels: Kernels, sampleRateHz: number): WaveformCollector {
  const extremes = kernels.allocateFloats(2);
  let pixels: number[] = [];
  let samplesPerPixel = finestSamplesPerPixelAt(sampleRateHz);
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let filledSamples = 0;

  const closePixel = (): void => {
    pixels.push(lowest, highest);
    lowest = Number.POSITIVE_INFINITY;
    highest = Number.NEGATIVE_INFINITY;
    filledSamples = 0;
    if (pixels.length === 2 * PIXELS_MAX) {
      pixels = mergePixels(pixels, 2);
      samplesPerPixel *= 2;
    }
  };

  return {
    take(input, sampleCount) {
      for (let from = 0; from < sampleCount; ) {
        const part = Math.min(sampleCount - from, samplesPerPixel - filledSamples);
        kernels.exports.findExtremes(input + from * Float32Array.BYTES_PER_ELEMENT, part, extremes.pointer);
        lowest = Math.min(lowest, extremes.view[0]!);
        highest = Math.max(highest, extremes.view[1]!);
        filledSamples += part;
        from += part;
        if (filledSamples === samplesPerPixel) closePixel();
      }
    },
    finish() {
      if (filledSamples > 0) closePixel();
      const levels = LEVEL_FACTORS.map((factor) =>
        describeLevel(mergePixels(pixels, factor), samplesPerPixel * factor, sampleRateHz),
      );
      return { levels };
    },
  };
}

/** The power of two nearest to FINEST_SECONDS_PER_PIXEL. */
function finestSamplesPerPixelAt(sampleRateHz: number): number {
  return 2 ** Math.max(0, Math.round(Math.log2(sampleRateHz * FINEST_SECONDS_PER_PIXEL)));
}

/** Merges every `factor` neighbouring pixels into one, which makes the coarser levels from the finest. */
export function mergePixels(pixels: readonly number[], factor: number): number[] {
  const merged: number[] = [];
  for (let at = 0; at < pixels.length; at += 2 * factor) {
    let lowest = pixels[at]!;
    let highest = pixels[at + 1]!;
    for (let next = at + 2; next < Math.min(at + 2 * factor, pixels.length); next += 2) {
      lowest = Math.min(lowest, pixels[next]!);
      highest = Math.max(highest, pixels[next + 1]!);
    }
    merged.push(lowest, highest);
  }
  return merged;
}

function describeLevel(pixels: number[], samplesPerPixel: number, sampleRateHz: number): WaveformLevel {
  return {
    version: 2,
    channels: 1,
    sampleRate: sampleRateHz,
    samplesPerPixel,
    bits: 8,
    length: pixels.length / 2,
    data: pixels.map(toEightBits),
  };
}

/** The upper eight bits of a 16-bit sample, truncated towards zero as in audiowaveform; 0 rather than -0. */
function toEightBits(sample: number): number {
  return Math.trunc(Math.max(-32768, Math.min(32767, Math.round(sample * 32768))) / 256) || 0;
}
