/**
 * Where does the music begin and end?
 *
 * With the first and the last frame whose power exceeds a share of the mean power, outside of steady noise. The rule is our own.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { markSound } from './silences.ts';
import { findSteadyNoise } from './steady-noise.ts';

/** Relative to the RMS of the recording: listeners do not tap along to the end of a fade or of a reverberation. Set by ear. */
const SILENCE_DB = -45;

export type SoundSpan = { startSeconds: number; endSeconds: number };

/** Null in silence. */
export function findSound(mel: FrameMatrix, durationSeconds: number): SoundSpan | null {
  const { frameRateHz } = mel;
  const sounding = markSound(mel, SILENCE_DB);
  for (const { startFrame, endFrame } of findSteadyNoise(mel)) sounding.fill(0, startFrame, endFrame);
  const first = sounding.indexOf(1);
  if (first < 0) return null;
  // The last frame may reach beyond the end of the audio.
  return {
    startSeconds: first / frameRateHz,
    endSeconds: Math.min(durationSeconds, (sounding.lastIndexOf(1) + 1) / frameRateHz),
  };
}
