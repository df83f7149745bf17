/**
 * The spectrum that the taggers were trained on: the power in 96 mel bands, in frames of 512 samples at 16 kHz, 62.5 a second.
 *
 * `slaney`: Slaney's scale, bands of equal area (librosa's default). `htk`: 2595 log10(1 + f / 700), bands of equal height (torchaudio's).
 */

import { type BandRow, listMelEdges, loadBandTable } from '../signal/band-weights.ts';
import { createHannWindow, createRealFft } from '../signal/fft.ts';
import type { Kernels } from '../signal/kernels.ts';
import { BAND_COUNT, type TaggerSizes } from './tagger-layers.ts';

export const TAGGER_RATE_HZ = 16_000;
export const WINDOW_SAMPLES = 512;
export const HOP_SAMPLES = 256;

/** The function returned reads the frames that begin at samples 0, 256, …; `samples` must reach to the end of the last one. */
export function createMelPower(
  kernels: Kernels,
  scale: TaggerSizes['mel'],
): (samples: Float32Array, frameCount: number) => Float32Array {
  const fft = createRealFft(kernels, WINDOW_SAMPLES);
  const window = kernels.copyFloats(createHannWindow(WINDOW_SAMPLES)).pointer;
  const table = loadBandTable(kernels, listTriangles(scale));
  return (samples, frameCount) => {
    const { exports } = kernels;
    const mark = exports.markMemory();
    const input = kernels.copyFloats(samples.subarray(0, (frameCount - 1) * HOP_SAMPLES + WINDOW_SAMPLES));
    const rows = kernels.allocateFloats(frameCount * BAND_COUNT);
    exports.takeBandPowers(
      fft.plan,
      input.pointer,
      HOP_SAMPLES,
      frameCount,
      window,
      fft.re.pointer,
      fft.im.pointer,
      table.bands,
      BAND_COUNT,
      table.weights,
      rows.pointer,
    );
    const powers = rows.view.slice();
    exports.releaseMemory(mark);
    return powers;
  };
}

/** The triangular filters; exported for the kernel's test. */
export function listTriangles(scale: TaggerSizes['mel']): BandRow[] {
  const highHz = TAGGER_RATE_HZ / 2;
  const binHz = TAGGER_RATE_HZ / WINDOW_SAMPLES;
  const edgesHz =
    scale === 'slaney' ? listMelEdges({ bandCount: BAND_COUNT, lowHz: 0, highHz }) : listHtkEdges(highHz);
  return Array.from({ length: BAND_COUNT }, (_, band) => {
    const [leftHz, centreHz, rightHz] = [edgesHz[band]!, edgesHz[band + 1]!, edgesHz[band + 2]!];
    const height = scale === 'slaney' ? 2 / (rightHz - leftHz) : 1;
    const firstBin = Math.max(0, Math.ceil(leftHz / binHz));
    const lastBin = Math.min(WINDOW_SAMPLES / 2, Math.floor(rightHz / binHz));
    const weights = Float64Array.from({ length: Math.max(0, lastBin - firstBin + 1) }, (_, k) => {
      const hz = (firstBin + k) * binHz;
      return (
        height *
        Math.max(0, Math.min((hz - leftHz) / (centreHz - leftHz), (rightHz - hz) / (rightHz - centreHz)))
      );
    });
    return { firstBin, weights };
  });
}

const HTK_MEL_SCALE = 2595;
const HTK_BREAK_HZ = 700;

function listHtkEdges(highHz: number): number[] {
  const topMel = HTK_MEL_SCALE * Math.log10(1 + highHz / HTK_BREAK_HZ);
  return Array.from({ length: BAND_COUNT + 2 }, (_, index) => {
    const mel = (topMel * index) / (BAND_COUNT + 1);
    return HTK_BREAK_HZ * (10 ** (mel / HTK_MEL_SCALE) - 1);
  });
}
