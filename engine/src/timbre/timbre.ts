/**
 * How does it sound, apart from pitch, rhythm and level? The timbre of the whole file: cepstrum, spectral shape, contrast and tonal balance, each in its
 * own file, which names the source.
 */

import type { Timbre, UnavailableReason } from '../result.ts';
import { PITCH_FRAMES, type SpectralFrames } from '../signal/front-end.ts';
import { createKernels } from '../signal/kernels.ts';
import type { MeanSpectrum } from '../signal/mean-spectrum.ts';
import { measureCepstrum } from './cepstrum.ts';
import { measureContrast } from './contrast.ts';
import { measureSpectralShape } from './spectral-shape.ts';
import { measureTonalBalance } from './tonal-balance.ts';

/** Every second mel frame, 25 a second, is enough for means, because neighbouring frames overlap by more than half. */
const STEP_FRAMES = 2;
/** The peak magnitude of a sine at -80 dBFS, where recordings hold only noise and dither. At full scale it is a quarter of the length of a Hann window. */
const CONTRAST_SILENCE_MAGNITUDE = (1e-4 * PITCH_FRAMES.fftSize) / 4;

export function measureTimbre(
  frames: SpectralFrames,
  spectrum: MeanSpectrum,
): { timbre: Timbre; unavailable: Record<string, UnavailableReason> } {
  const kernels = createKernels();
  const audible = kernels.exports.allocate(Math.ceil(frames.mel.frameCount / STEP_FRAMES));
  const cepstrum = measureCepstrum(kernels, frames.mel, frames.rms, STEP_FRAMES, audible);
  const shape = measureSpectralShape(kernels, frames.mel, STEP_FRAMES, audible);
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
  // The mean spectrum skips blocks, so it can miss short sounds.
  if (tonalBalance.length === 0) reasons['timbre.tonal_balance'] = centroidHz === null ? reason : 'too_short';
  return reasons;
}
