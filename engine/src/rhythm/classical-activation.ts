/**
 * Beat activation without a network: what begins loudly, and what begins in the bass or with a new harmony.
 *
 * 1. onset envelope, against its own level of the last and next seconds, squashed to 0..1: the beat activation
 * 2. how much the spectrum after a frame differs from the one before (half a second each), and how much of the onset lies in the bass: on
 *    downbeats chords change and the bass moves. The two weigh the beat activation into that of downbeats.
 *
 * Ellis, "Beat tracking by dynamic programming", J. New Music Research 36(1), 2007 (onset envelope as beat evidence);
 * Davies & Plumbley, "A spectral difference approach to extracting downbeats in musical audio", EUSIPCO 2006 (2).
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import type { BeatActivation } from './beat-activation.ts';
import type { OnsetEnvelope } from './onset-envelope.ts';

/** To either side; longer than a bar, so that an accent stands out among its neighbours and a quiet passage is not silenced. */
const LEVEL_SECONDS = 3;
/** The restlessness of a steady sound, as a multiple of the mean: what noise does all the time is no onset. */
const RESTLESSNESS = 1;
/** On the scale of the onset envelope: weaker than this is nothing, however quiet its surroundings. */
const LEVEL_FLOOR = 0.05;
/** An onset at this multiple of the local level is half as likely a beat as any onset can be. */
const HALF_LEVEL = 1.5;
/** An onset alone is at best this likely a beat: eighths and fills are onsets too. */
const BEAT_MAX = 0.8;
const CHANGE_SECONDS = 0.5;
const DOWNBEAT_SHARE_MAX = 0.6;
const RMS_FLOOR = 1e-6;
const COMPRESSION_GAIN = 10;

export function computeClassicalActivation(
  mel: FrameMatrix,
  rms: number,
  onsets: OnsetEnvelope,
): BeatActivation {
  const { frameRateHz } = onsets;
  const radius = Math.round(LEVEL_SECONDS * frameRateHz);
  const mixed = onsets.full.map(
    (value, frame) => value + 0.5 * onsets.low[frame]! + 0.25 * onsets.high[frame]!,
  );
  const mean = smooth(mixed, radius);
  const raised = mixed.map((value, frame) => Math.max(0, value - RESTLESSNESS * mean[frame]!));
  const level = smoothSquares(raised, radius);
  const beat = raised.map((value, frame) => {
    const relative = value ** 2 / (level[frame]! + LEVEL_FLOOR ** 2);
    return (BEAT_MAX * relative) / (relative + HALF_LEVEL ** 2);
  });
  const change = measureChange(mel, rms, Math.round(CHANGE_SECONDS * frameRateHz));
  const changeLevel = smoothSquares(change, 2 * radius);
  const lowLevel = smoothSquares(onsets.low, 2 * radius);
  const downbeat = beat.map((value, frame) => {
    const newHarmony = change[frame]! ** 2 / (changeLevel[frame]! + LEVEL_FLOOR ** 2);
    const bass = onsets.low[frame]! ** 2 / (lowLevel[frame]! + LEVEL_FLOOR ** 2);
    const evidence = newHarmony + bass / 4;
    return (value * DOWNBEAT_SHARE_MAX * evidence) / (evidence + HALF_LEVEL ** 2);
  });
  return { frameRateHz, beat, downbeat, source: 'classical' };
}

/** Mean around each frame, over `radius` frames to either side. */
function smooth(values: Float32Array, radius: number): Float32Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i]! + values[i]!;
  return values.map((_, frame) => {
    const start = Math.max(0, frame - radius);
    const end = Math.min(values.length, frame + radius + 1);
    return (sums[end]! - sums[start]!) / (end - start);
  });
}

function smoothSquares(values: Float32Array, radius: number): Float32Array {
  return smooth(
    values.map((value) => value ** 2),
    radius,
  );
}

/** Distance between the mean compressed spectra of the `span` frames before and after each frame. */
function measureChange(mel: FrameMatrix, rms: number, span: number): Float32Array {
  const { frameCount, binCount, data } = mel;
  const gain = COMPRESSION_GAIN / (rms + RMS_FLOOR);
  const change = new Float32Array(frameCount);
  const before = new Float64Array(binCount);
  const after = new Float64Array(binCount);
  const value = (frame: number, bin: number): number =>
    frame < 0 || frame >= frameCount ? 0 : Math.log1p(gain * data[frame * binCount + bin]!);
  for (let frame = 0; frame < Math.min(span, frameCount); frame++) {
    for (let bin = 0; bin < binCount; bin++) after[bin]! += value(frame, bin);
  }
  for (let frame = 0; frame < frameCount; frame++) {
    let sum = 0;
    for (let bin = 0; bin < binCount; bin++) {
      sum += Math.abs(after[bin]! - before[bin]!);
      const here = value(frame, bin);
      after[bin]! += value(frame + span, bin) - here;
      before[bin]! += here - value(frame - span, bin);
    }
    change[frame] = sum / (span * binCount);
  }
  return change;
}
