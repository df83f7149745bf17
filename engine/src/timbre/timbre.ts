/**
 * How does it sound, apart from pitch, rhythm and level? The timbre of the whole file: cepstrum, spectral shape, contrast and tonal balance, each
 * in a file of its own that names its source.
 */

import type { Timbre, UnavailableReason } from '../result.ts';
import type { SpectralFrames } from '../signal/front-end.ts';
import { createKernels } from '../signal/kernels.ts';
import type { MeanSpectrum } from '../signal/mean-spectrum.ts';
import { measureCepstrum } from './cepstrum.ts';
import { measureContrast } from './contrast.ts';
import { measureSpectralShape } from './spectral-shape.ts';
import { measureTonalBalance } from './tonal-balance.ts';

/** Chosen: every second mel frame, 25 a second, suffices for means, since neighbouring frames overlap. */
const FRAME_STEP = 2;
/** Chosen: the magnitude of a half-semitone band at -80 dBFS. A sine of full scale has 2048, a quarter of the 8192 samples of the Hann window. */
const CONTRAST_SILENCE_MAGNITUDE = 1e-4 * 2048;

export function measureTimbre(
  frames: SpectralFrames,
  spectrum: MeanSpectrum,
): { timbre: Timbre; unavailable: Record<string, UnavailableReason> } {
  const kernels = createKernels();
  const audible = kernels.exports.allocate(Math.ceil(frames.mel.frameCount / FRAME_STEP));
  const cepstrum = measureCepstrum(kernels, frames.mel, frames.rms, FRAME_STEP, audible);
  const shape = measureSpectralShape(kernels, frames.mel, FRAME_STEP, audible);
  const timbre: Timbre = {
    mfccMean: cepstrum?.mean ?? [],
    mfccCovariance: cepstrum?.covariance ?? [],
    centroidHz: shape?.centroidHz ?? null,
    rolloffHz: shape?.rolloffHz ?? null,
    flatness: shape?.flatness ?? null,
    flux: shape?.flux ?? null,
    contrastDb: measureContrast(kernels, frames.pitch, CONTRAST_SILENCE_MAGNITUDE),
    tonalBalance: measureTonalBalance(spectrum),
  };
  return { timbre, unavailable: explainAbsence(timbre, frames) };
}

function explainAbsence(
  { centroidHz, tonalBalance, contrastDb }: Timbre,
  { mel }: SpectralFrames,
): Record<string, UnavailableReason> {
  const reasons: Record<string, UnavailableReason> = {};
  const reason = mel.frameCount === 0 ? 'too_short' : 'silence';
  if (centroidHz === null) {
    for (const name of ['mfcc_mean', 'mfcc_covariance', 'centroid_hz', 'rolloff_hz', 'flatness', 'flux']) {
      reasons[`timbre.${name}`] = reason;
    }
  }
  if (contrastDb.length === 0) reasons['timbre.contrast_db'] = reason;
  // The mean spectrum skips blocks, so it may miss sound that is too short.
  if (tonalBalance.length === 0) reasons['timbre.tonal_balance'] = centroidHz === null ? reason : 'too_short';
  return reasons;
}
