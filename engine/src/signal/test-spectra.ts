/** The spectra of a signal at 22,050 Hz, for tests of the stages that read them. */

import { ANALYSIS_RATE_HZ, createFrontEnd, type SpectralFrames } from './front-end.ts';
import { createKernels } from './kernels.ts';

const BLOCK_SAMPLES = 8192;

export function analyseSpectra(signal: Float32Array): SpectralFrames {
  const kernels = createKernels();
  const frontEnd = createFrontEnd(kernels, ANALYSIS_RATE_HZ, BLOCK_SAMPLES);
  const block = kernels.allocateFloats(BLOCK_SAMPLES);
  for (let from = 0; from < signal.length; from += BLOCK_SAMPLES) {
    const piece = signal.subarray(from, from + BLOCK_SAMPLES);
    block.view.set(piece);
    frontEnd.push(block.pointer, piece.length);
  }
  return frontEnd.finish();
}
