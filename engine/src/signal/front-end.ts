/**
 * From mono samples to the two spectra that all later stages read.
 *
 * 1. resample to 22,050 Hz  2. mel: Hann frames of 1024, 50 a second, 81 bands from 30 Hz to 10 kHz
 * 3. pitch: Hann frames of 8192, 10 a second, 144 half-semitone bands from C2.
 *
 * The values are linear magnitudes at the level of the signal. The networks were trained on signals with an RMS of 1, but the RMS is not
 * known until the end of the file. Since magnitudes are proportional to the signal, later stages divide them by `rms` (see
 * rhythm/onset-envelope.ts and tonal/semitones.ts).
 */

import { type BandRow, createMelBands, createPitchBands, loadBandTable } from './band-weights.ts';
import { createHannWindow, createRealFft } from './fft.ts';
import { type FrameMatrix, FrameMatrixBuilder } from './frame-matrix.ts';
import { createFrameSlicer, type FrameSlicer } from './frame-slicer.ts';
import type { Kernels } from './kernels.ts';
import { createResampler } from './resample.ts';

export const ANALYSIS_RATE_HZ = 22_050;

/** Added to the RMS before dividing by it, because that of silence is zero. The networks were trained with it. */
export const RMS_FLOOR = 1e-6;

export const MEL_FRAMES = {
  fftSize: 1024,
  hopSamples: 441,
  bandCount: 81,
  lowHz: 30,
  highHz: 10_000,
  /** Makes the transform unitary. */
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
  /** RMS of the whole mono signal at 22,050 Hz; 0 without samples. */
  rms: number;
  durationSeconds: number;
};

/**
 * Optional listeners to the intermediate results. Their arguments are valid only during the call.
 */
export type FrontEndObservers = {
  /** Called with the address of the magnitudes of each pitch frame, before they are summed in bands. */
  pitch?: (magnitudes: number) => void;
  /** Called with the samples at 22,050 Hz. */
  samples?: (samples: Float32Array) => void;
};

export type FrontEnd = {
  /** Takes up to `blockSamplesMax` mono samples at the input rate from the address `input`. */
  push(input: number, count: number): void;
  finish(): SpectralFrames;
};

export function createFrontEnd(
  kernels: Kernels,
  inputRateHz: number,
  blockSamplesMax: number,
  observers: FrontEndObservers = {},
): FrontEnd {
  const resampler = createResampler(kernels, inputRateHz, ANALYSIS_RATE_HZ, blockSamplesMax);
  const mel = createBandFrames(kernels, MEL_FRAMES, createMelBands);
  const pitch = createBandFrames(kernels, PITCH_FRAMES, createPitchBands, observers.pitch);
  let inputCount = 0;
  let squareSum = 0;
  let sampleCount = 0;

  const take = (count: number): void => {
    squareSum += kernels.exports.sumSquares(resampler.output.pointer, count);
    sampleCount += count;
    const samples = resampler.output.view.subarray(0, count);
    observers.samples?.(samples);
    mel.slicer.push(samples);
    pitch.slicer.push(samples);
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
  observeSpectrum?: (magnitudes: number) => void,
): { slicer: FrameSlicer; frames: FrameMatrixBuilder } {
  const { fftSize, hopSamples, bandCount, scale } = layout;
  const fft = createRealFft(kernels, fftSize);
  const window = kernels.copyFloats(createHannWindow(fftSize));
  const table = loadBandTable(kernels, createBands({ ...layout, sampleRateHz: ANALYSIS_RATE_HZ }));
  const bands = kernels.allocateFloats(bandCount);
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
