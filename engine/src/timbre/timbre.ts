/** How does it sound? The colour of the sound over the whole file, apart from pitch, rhythm and level. */

import type { Timbre, UnavailableReason } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import type { SpectralFrames } from '../signal/front-end.ts';
import type { MeanSpectrum } from '../signal/mean-spectrum.ts';
import { measureCepstrum, takeLogMel } from './cepstrum.ts';
import { measureContrast } from './contrast.ts';
import { measureSpectralShape } from './spectral-shape.ts';
import { measureTonalBalance } from './tonal-balance.ts';

/** Every second mel frame, 25 a second: neighbours overlap, and means need no more. */
const FRAME_STEP = 2;
/** Of the strongest band, in natural logarithms over the file's level: noise 38 dB below that level is a pause. */
const PAUSE_LOG_LEVEL = -5;
/** Magnitude of a half-semitone band at -80 dBFS. */
const CONTRAST_SILENCE = 1e-4 * 2048;

export function measureTimbre(
  frames: SpectralFrames,
  spectrum: MeanSpectrum,
): { timbre: Timbre; unavailable: Record<string, UnavailableReason> } {
  const logMel = takeLogMel(frames.mel, frames.rms, FRAME_STEP);
  const audible = markAudible(logMel);
  const cepstrum = measureCepstrum(logMel, audible);
  const shape = measureSpectralShape(frames.mel, audible, FRAME_STEP);
  const timbre: Timbre = {
    mfccMean: cepstrum?.mean ?? [],
    mfccCovariance: cepstrum?.covariance ?? [],
    centroidHz: shape?.centroidHz ?? null,
    rolloffHz: shape?.rolloffHz ?? null,
    flatness: shape?.flatness ?? null,
    flux: shape?.flux ?? null,
    contrastDb: measureContrast(frames.pitch, CONTRAST_SILENCE),
    tonalBalance: measureTonalBalance(spectrum),
  };
  return { timbre, unavailable: explainAbsence(timbre, frames) };
}

function markAudible({ data, binCount, frameCount }: FrameMatrix): boolean[] {
  return Array.from({ length: frameCount }, (_, i) => {
    for (let at = i * binCount; at < (i + 1) * binCount; at++) if (data[at]! > PAUSE_LOG_LEVEL) return true;
    return false;
  });
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
  if (tonalBalance.length === 0) reasons['timbre.tonal_balance'] = reason;
  return reasons;
}
