/** From the first to the last frame that is not silence. */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import type { SoundSpan } from './beat-times.ts';

/** Below the RMS of the whole: fades and reverberation tails are silence to a tapping foot. */
const SILENCE_DB = -45;

export function findSound(mel: FrameMatrix): SoundSpan | null {
  const { frameCount, binCount, data, frameRateHz } = mel;
  const power = new Float32Array(frameCount);
  let total = 0;
  for (let frame = 0; frame < frameCount; frame++) {
    let sum = 0;
    for (let bin = 0; bin < binCount; bin++) sum += data[frame * binCount + bin]! ** 2;
    power[frame] = sum;
    total += sum;
  }
  const threshold = (total / frameCount) * 10 ** (SILENCE_DB / 10);
  const first = power.findIndex((value) => value > threshold);
  if (first < 0) return null;
  const last = power.findLastIndex((value) => value > threshold);
  return { startSeconds: first / frameRateHz, endSeconds: (last + 1) / frameRateHz };
}
