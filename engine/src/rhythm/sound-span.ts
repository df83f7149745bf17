/** Where does the music begin and end? From the first to the last frame that is not silence. */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { sumRowSquares } from '../signal/row-squares.ts';

/** Below the RMS of the whole: fades and reverberation tails are silence to a tapping foot. By ear. */
const SILENCE_DB = -45;

export type SoundSpan = { startSeconds: number; endSeconds: number };

export function findSound(mel: FrameMatrix, durationSeconds: number): SoundSpan | null {
  const { frameCount, frameRateHz } = mel;
  const power = sumRowSquares(createKernels(), mel);
  const total = power.reduce((sum, value) => sum + value, 0);
  const threshold = (total / frameCount) * 10 ** (SILENCE_DB / 10);
  const first = power.findIndex((value) => value > threshold);
  if (first < 0) return null;
  const last = power.findLastIndex((value) => value > threshold);
  // The last frame may reach beyond the end.
  return {
    startSeconds: first / frameRateHz,
    endSeconds: Math.min(durationSeconds, (last + 1) / frameRateHz),
  };
}
