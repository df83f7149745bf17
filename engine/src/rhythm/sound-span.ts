/**
 * Where does the music begin and end?
 *
 * With the first and the last frame whose power exceeds a share of the mean power, outside of steady noise. The rule is our own.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { sumRowSquares } from '../signal/row-squares.ts';
import { findSteadyNoise } from './steady-noise.ts';

/** Relative to the RMS of the whole: nobody taps along to the end of a fade or of a reverberation. Set by ear. */
const SILENCE_DB = -45;

export type SoundSpan = { startSeconds: number; endSeconds: number };

/** Null in silence. */
export function findSound(mel: FrameMatrix, durationSeconds: number): SoundSpan | null {
  const { frameRateHz } = mel;
  const sounding = markSound(mel, SILENCE_DB);
  for (const { start, end } of findSteadyNoise(mel)) sounding.fill(0, start, end);
  const first = sounding.indexOf(1);
  if (first < 0) return null;
  // The last frame may reach beyond the end of the audio.
  return {
    startSeconds: first / frameRateHz,
    endSeconds: Math.min(durationSeconds, (sounding.lastIndexOf(1) + 1) / frameRateHz),
  };
}

/** 1 for the frames that are louder than `silenceDb`, relative to the mean power of them all; 0 for the others. */
export function markSound(mel: FrameMatrix, silenceDb: number): Uint8Array {
  const power = sumRowSquares(createKernels(), mel);
  const mean = power.reduce((sum, value) => sum + value, 0) / mel.frameCount;
  const threshold = mean * 10 ** (silenceDb / 10);
  return Uint8Array.from(power, (value) => Number(value > threshold));
}
