/**
 * Which stretches of a recording are silent, and on which is the beat network run?
 *
 * A frame is silent if its power is below a share of the mean power. The rule is our own.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { sumRowSquares } from '../signal/row-squares.ts';

/** Relative to the RMS of the recording: so soft that the network's output is that of digital silence. Set by hand. */
const UNHEARD_DB = -80;
/** Shorter silences are not worth two separate runs of the network. */
const UNHEARD_SECONDS_MIN = 120;
/** Included at either end of a silence: the network looks 20.4 s (1,022 frames) to either side; the rest is reserve. */
const MARGIN_SECONDS = 30;

export type FrameSpan = {
  startFrame: number;
  /** Exclusive. */
  endFrame: number;
};

/** Everything but the inside of long silences, in order. */
export function findSoundingSpans(mel: FrameMatrix): FrameSpan[] {
  const { frameCount, frameRateHz } = mel;
  const marginFrames = MARGIN_SECONDS * frameRateHz;
  const spans: FrameSpan[] = [];
  let startFrame = 0;
  for (const silence of findSilences(mel, UNHEARD_DB, UNHEARD_SECONDS_MIN)) {
    // A silence at either end of the file has sound on one side only, and needs one margin.
    const endFrame = silence.startFrame === 0 ? 0 : Math.round(silence.startFrame + marginFrames);
    if (endFrame > startFrame) spans.push({ startFrame, endFrame });
    startFrame = silence.endFrame === frameCount ? frameCount : Math.round(silence.endFrame - marginFrames);
  }
  if (startFrame < frameCount) spans.push({ startFrame, endFrame: frameCount });
  return spans;
}

/** The silences of at least `secondsMin`, in order. */
export function findSilences(mel: FrameMatrix, silenceDb: number, secondsMin: number): FrameSpan[] {
  const { frameCount, frameRateHz } = mel;
  const sounding = markSound(mel, silenceDb);
  const silences: FrameSpan[] = [];
  let startFrame = 0;
  for (let frame = 0; frame <= frameCount; frame++) {
    if (frame < frameCount && sounding[frame] === 0) continue;
    if (frame - startFrame >= secondsMin * frameRateHz) silences.push({ startFrame, endFrame: frame });
    startFrame = frame + 1;
  }
  return silences;
}

/** 1 for frames louder than `silenceDb` relative to the mean power of all frames, 0 for the others. */
export function markSound(mel: FrameMatrix, silenceDb: number): Uint8Array {
  const powers = sumRowSquares(createKernels(), mel);
  const meanPower = powers.reduce((sum, power) => sum + power, 0) / mel.frameCount;
  const powerMin = meanPower * 10 ** (silenceDb / 10);
  return Uint8Array.from(powers, (power) => Number(power > powerMin));
}
