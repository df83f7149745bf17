/**
 * How likely is each frame a beat and a downbeat, judged without a network? Strong onsets are beats; those in the bass or with a new
 * harmony are downbeats.
 *
 * 1. beat activation: the onset envelope relative to its level in the seconds around it, compressed to 0..BEAT_MAX
 * 2. downbeat activation: the share of it that grows with the difference between the spectra of the half seconds before and after the
 *    frame, and with the onset in the bass, since on downbeats chords change and the bass moves.
 *
 * Ellis, "Beat tracking by dynamic programming", J. New Music Research 36(1), 2007 (onset envelope as beat evidence);
 * Davies & Plumbley, "A spectral difference approach to downbeat extraction in musical audio", EUSIPCO 2006 (2).
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import type { BeatActivation } from './beat-activation.ts';
import { compressMel, type OnsetEnvelope } from './onset-envelope.ts';

// The numbers below are not from the papers; they were set by hand. Their accuracy is in docs/algorithms.md.

/** Weights of the registers, added to 1 for all bands: the bass says more about beats than the hi-hat. */
const LOW_WEIGHT = 0.5;
const HIGH_WEIGHT = 0.25;
/** On either side of the frame: longer than a bar, so that an accent stands out; short enough for quiet passages to keep their beats. */
const LEVEL_SECONDS = 3;
/** On the scale of the onset envelope: much weaker onsets do not count, however quiet their surroundings. */
const LEVEL_FLOOR = 0.05;
/** An onset at this multiple of the local level gets half of BEAT_MAX. */
const HALF_LEVEL = 1.5;
/** The highest activation of an onset, since eighths and fills are onsets too. */
const BEAT_MAX = 0.8;
/** About a beat: long enough to compare harmonies rather than single notes. */
const CHANGE_SECONDS = 0.5;
/** Relative to 1 for a new harmony, since the bass plays on other beats too. */
const BASS_WEIGHT = 0.25;
/** The largest share of the beat activation that a downbeat gets, since harmonies also change within bars. */
const DOWNBEAT_SHARE_MAX = 0.6;

export function computeClassicalActivation(
  mel: FrameMatrix,
  rms: number,
  onsets: OnsetEnvelope,
): BeatActivation {
  const { frameRateHz } = onsets;
  const radiusFrames = Math.round(LEVEL_SECONDS * frameRateHz);
  const mixed = onsets.full.map(
    (value, frame) => value + LOW_WEIGHT * onsets.low[frame]! + HIGH_WEIGHT * onsets.high[frame]!,
  );
  const mean = smooth(mixed, radiusFrames);
  // The mean is subtracted because noise raises the whole envelope.
  const raised = mixed.map((value, frame) => Math.max(0, value - mean[frame]!));
  const level = smoothSquares(raised, radiusFrames);
  const beat = raised.map((value, frame) => {
    const relative = value ** 2 / (level[frame]! + LEVEL_FLOOR ** 2);
    return (BEAT_MAX * relative) / (relative + HALF_LEVEL ** 2);
  });
  const change = measureChange(mel, rms, Math.round(CHANGE_SECONDS * frameRateHz));
  const changeLevel = smoothSquares(change, 2 * radiusFrames);
  const lowLevel = smoothSquares(onsets.low, 2 * radiusFrames);
  const downbeat = beat.map((value, frame) => {
    const newHarmony = change[frame]! ** 2 / (changeLevel[frame]! + LEVEL_FLOOR ** 2);
    const bass = onsets.low[frame]! ** 2 / (lowLevel[frame]! + LEVEL_FLOOR ** 2);
    const evidence = newHarmony + BASS_WEIGHT * bass;
    return (value * DOWNBEAT_SHARE_MAX * evidence) / (evidence + HALF_LEVEL ** 2);
  });
  return { frameRateHz, beat, downbeat, source: 'classical' };
}

/** Mean over `radiusFrames` to either side of each frame. */
function smooth(values: Float32Array, radiusFrames: number): Float32Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i]! + values[i]!;
  return values.map((_, frame) => {
    const startFrame = Math.max(0, frame - radiusFrames);
    const endFrame = Math.min(values.length, frame + radiusFrames + 1);
    return (sums[endFrame]! - sums[startFrame]!) / (endFrame - startFrame);
  });
}

function smoothSquares(values: Float32Array, radiusFrames: number): Float32Array {
  return smooth(
    values.map((value) => value ** 2),
    radiusFrames,
  );
}

/** Mean difference per band between the compressed spectra of the `spanFrames` before and after each frame, by running sums. */
function measureChange(mel: FrameMatrix, rms: number, spanFrames: number): Float32Array {
  const { frameCount, binCount } = mel;
  const logMel = compressMel(createKernels(), mel, rms, 2 * spanFrames);
  const change = new Float32Array(frameCount);
  const before = new Float64Array(binCount);
  const after = new Float64Array(binCount);
  for (let frame = -spanFrames; frame < frameCount; frame++) {
    const newest = Math.min(frame + spanFrames, frameCount - 1);
    const at = logMel.seek(newest) - (newest - frame) * binCount;
    const { data } = logMel;
    let sum = 0;
    for (let bin = 0; bin < binCount; bin++) {
      sum += Math.abs(after[bin]! - before[bin]!);
      const here = frame < 0 ? 0 : data[at + bin]!;
      const entering = frame + spanFrames < frameCount ? data[at + spanFrames * binCount + bin]! : 0;
      const leaving = frame < spanFrames ? 0 : data[at - spanFrames * binCount + bin]!;
      after[bin]! += entering - here;
      before[bin]! += here - leaving;
    }
    if (frame >= 0) change[frame] = sum / (spanFrames * binCount);
  }
  return change;
}
