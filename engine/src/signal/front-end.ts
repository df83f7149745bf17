/**
 * From mono samples to the two spectra that every later stage reads.
 *
 * 1. resample to 22,050 Hz  2. mel: Hann frames of 1024, 50 a second, 81 bands from 30 Hz to 10 kHz
 * 3. pitch: Hann frames of 8192, 10 a second, 144 half-semitone bands from C2.
 *
 * The values are linear magnitudes of the signal at its own level. The networks were trained on signals of unit RMS, but the RMS is known only
 * at the end of the file; as magnitudes are linear in the signal, a consumer divides them by `rms` instead:
 *   rhythm input = log1p(10 mel / (rms + RMS_FLOOR)),   tonal input = log1p(3 pitch / (90.5 (rms + RMS_FLOOR))).
 */

import { type BandRow, createMelBands, createPitchBands, loadBandTable } from './band-weights.ts';
import { createHannWindow, createRealFft } from './fft.ts';
import { type FrameMatrix, FrameMatrixBuilder } from './frame-matrix.ts';
import { createFrameSlicer, type FrameSlicer } from './frame-slicer.ts';
import type { FloatRegion, Kernels } from './kernels.ts';
import { createResampler } from './resample.ts';

export const ANALYSIS_RATE_HZ = 22_050;

/** Added to the RMS before dividing by it, which is zero in silence. */
export const RMS_FLOOR = 1e-6;

export const MEL_FRAMES = {
  fftSize: 1024,
  hopSamples: 441,
  bandCount: 81,
  lowHz: 30,
  highHz: 10_000,
  /** Unitary transform. */
  scale: 1 / Math.sqrt(1024),
} as const;

export const PITCH_FRAMES = {
  fftSize: 8192,
  hopSamples: 2205,
  bandCount: 144,
  /** C2 of A4 = 440 Hz. */
  lowHz: 65.406,
  bandsPerOctave: 24,
  scale: 1,
} as const;

export type SpectralFrames = {
  /** 50 frames a second, 81 bands. */
  mel: FrameMatrix;
  /** 10 frames a second, 144 bands. */
  pitch: FrameMatrix;
  /** Root mean square of the whole mono signal at 22,050 Hz; 0 without samples. */
  rms: number;
  durationSeconds: number;
};

/**
 * Called with the address of the magnitudes of each frame, in bins rate / fftSize apart and on the scale of the bands. The address is valid during
 * that call only.
 */
export type SpectrumObserver = (magnitudes: number) => void;

export type SpectrumObservers = {
  mel?: SpectrumObserver;
  pitch?: SpectrumObserver;
  /** Called with the samples at 22,050 Hz; the view is valid during that call only. */
  samples?: (samples: Float32Array) => void;
};

export type FrontEnd = {
  /** Mono samples at the input rate, at most `blockSamplesMax` of them. */
  push(input: number, count: number): void;
  finish(): SpectralFrames;
};

export function createFrontEnd(
  kernels: Kernels,
  inputRateHz: number,
  blockSamplesMax: number,
  observers: SpectrumObservers = {},
): FrontEnd {
  const resampler = createResampler(kernels, inputRateHz, ANALYSIS_RATE_HZ, blockSamplesMax);
  const mel = createBandFrames(kernels, MEL_FRAMES, createMelBands, observers.mel);
  const pitch = createBandFrames(kernels, PITCH_FRAMES, createPitchBands, observers.pitch);
  let inputCount = 0;
  let squareSum = 0;
  let sampleCount = 0;

  const take = (count: number): void => {
    squareSum += kernels.exports.sumSquares(resampler.output.pointer, count);
    sampleCount += count;
    observers.samples?.(resampler.output.view.subarray(0, count));
    mel.slicer.push(resampler.output.view.subarray(0, count));
    pitch.slicer.push(resampler.output.view.subarray(0, count));
  };

  return {
    push(input, count) {
      inputCount += count;
      take(resampler.push(input, count));
    },
    finish() {
      take(resampler.finish());
      mel.slicer.finish();
      pitch.slicer.finish();
      return {
        mel: mel.frames.finish(),
        pitch: pitch.frames.finish(),
        rms: sampleCount === 0 ? 0 : Math.sqrt(squareSum / sampleCount),
        durationSeconds: inputCount / inputRateHz,
      };
    },
  };
}

type BandLayout = { fftSize: number; hopSamples: number; bandCount: number; scale: number };

function createBandFrames<Layout extends BandLayout>(
  kernels: Kernels,
  layout: Layout,
  createBands: (options: Layout & { sampleRateHz: number }) => BandRow[],
  observeSpectrum: SpectrumObserver | undefined,
): { slicer: FrameSlicer; frames: FrameMatrixBuilder } {
  const { fftSize, hopSamples, bandCount, scale } = layout;
  const fft = createRealFft(kernels, fftSize);
  const window = kernels.copyFloats(createHannWindow(fftSize));
  const table = loadBandTable(kernels, createBands({ ...layout, sampleRateHz: ANALYSIS_RATE_HZ }));
  const bands: FloatRegion = kernels.allocateFloats(bandCount);
  const frames = new FrameMatrixBuilder(ANALYSIS_RATE_HZ / hopSamples, bandCount);
  const slicer = createFrameSlicer(kernels, fftSize, hopSamples, (frame) => {
    kernels.exports.analyseFrame(
      fft.plan,
      frame,
      window.pointer,
      fft.im.pointer,
      fft.re.pointer,
      scale,
      table.bands,
      bandCount,
      table.weights,
      bands.pointer,
    );
    frames.append(bands.view);
    observeSpectrum?.(fft.re.pointer);
  });
  return { slicer, frames };
}
