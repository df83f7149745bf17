/**
 * How does it sound? The colour of the sound over the whole file, apart from pitch, rhythm and level.
 *
 * Cepstrum, spectral shape, contrast and tonal balance; each names its source in a file of its own.
 */

import type { Timbre, UnavailableReason } from '../result.ts';
import type { SpectralFrames } from '../signal/front-end.ts';
import { createKernels } from '../signal/kernels.ts';
import type { MeanSpectrum } from '../signal/mean-spectrum.ts';
import { measureCepstrum } from './cepstrum.ts';
import { measureContrast } from './contrast.ts';
import { measureSpectralShape } from './spectral-shape.ts';
import { measureTonalBalance } from './tonal-balance.ts';

/** Every second mel frame, 25 a second: neighbours overlap, and means need no more. */
const FRAME_STEP = 2;
/** Of a half-semitone band at -80 dBFS: a sine of full scale has 2048, a quarter of the Hann window's 8192 samples. */
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
  // The mean spectrum passes over blocks: what is heard in those alone is too short for it.
  if (tonalBalance.length === 0) reasons['timbre.tonal_balance'] = centroidHz === null ? reason : 'too_short';
  return reasons;
}
