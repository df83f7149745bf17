/**
 * At which tempi could a listener tap to this music? At the one the tracker finds, and at those in a simple ratio to it, tracked apart.
 *
 * 1. track freely  2. take the tempo that lasts longest  3. for it, its half, its double and other simple ratios, track again with the
 *    tempo held near that level, in every meter without changes.
 *
 * A free track may jump between half and double tempo within a song; tracks held to one level can be compared as a whole (tempo-choice.ts).
 * The procedure and its numbers are our own; the tracker is that of Krebs et al. (bar-tracker.ts).
 */

import type { Kernels } from '../signal/kernels.ts';
import { type BarTrack, type TrackedBeat, trackBars } from './bar-tracker.ts';
import { fitPeriod } from './tempo.ts';

export type TempoLevel = {
  /** Measured on the track. */
  bpm: number;
  bpmMin: number;
  bpmMax: number;
  track: BarTrack;
};

export type TempoLevels = {
  /** The track that is not held to a level. */
  free: BarTrack;
  levels: TempoLevel[];
};

export type TempoRange = { bpmMin: number; bpmMax: number };

/** Meters of the free track, which only has to find the common tempo: three and four represent all. */
const FREE_METERS = [3, 4];
/** Coarser than the tracker's own step, since the tempo only has to fall within a level. */
const FREE_TEMPO_STEP_LOG_RATIO = 0.03;
/** Two and three times as fast or slow, and the dotted levels of compound and triplet music. */
export const LEVEL_RATIOS = [1, 1 / 3, 1 / 2, 2 / 3, 3 / 2, 2, 3];
/** From the middle of a level to either end: wide enough for a band without a click track, too narrow for two levels. */
const LEVEL_WIDTH_RATIO = 1.2;
/** Closer levels are the same: two steps of the tracker's grid. */
const SAME_LEVEL_LOG_RATIO = 0.04;

export function findTempoLevels(
  kernels: Kernels,
  observations: Float32Array,
  options: { frameRateHz: number; range: TempoRange; meters: readonly number[] },
): TempoLevels {
  const { frameRateHz, range, meters } = options;
  const free = trackBars(kernels, observations, {
    frameRateHz,
    ...range,
    meters: meters.length === 1 ? meters : FREE_METERS,
    meterChangeCost: Number.POSITIVE_INFINITY,
    tempoStepLogRatio: FREE_TEMPO_STEP_LOG_RATIO,
  });
  const commonFrames = findCommonPeriodFrames(free.beats);
  if (commonFrames === null) return { free, levels: [] };
  // The tracker's tempo grid may extend just beyond the range.
  const commonBpm = Math.min(range.bpmMax, Math.max(range.bpmMin, (60 * frameRateHz) / commonFrames));
  const tracks = LEVEL_RATIOS.map((ratio) => commonBpm * ratio)
    .filter((bpm) => bpm >= range.bpmMin && bpm <= range.bpmMax)
    .map((bpm): TempoLevel => {
      const bpmMin = Math.max(range.bpmMin, bpm / LEVEL_WIDTH_RATIO);
      const bpmMax = Math.min(range.bpmMax, bpm * LEVEL_WIDTH_RATIO);
      const track = trackBars(kernels, observations, {
        frameRateHz,
        bpmMin,
        bpmMax,
        meters,
        meterChangeCost: Number.POSITIVE_INFINITY,
      });
      const periodSeconds = fitPeriod(track.beats.map((beat) => beat.frame / frameRateHz));
      return { bpm: periodSeconds === null ? bpm : 60 / periodSeconds, bpmMin, bpmMax, track };
    });
  return { free, levels: dropRepeated(tracks) };
}

/** Of levels that found the same tempo, keeps the one whose track scores highest, the first if several do. */
function dropRepeated(levels: readonly TempoLevel[]): TempoLevel[] {
  const isSame = (a: TempoLevel, b: TempoLevel): boolean =>
    Math.abs(Math.log(a.bpm / b.bpm)) < SAME_LEVEL_LOG_RATIO;
  return levels.filter((level, index) =>
    levels.every((other, otherIndex) => {
      if (index === otherIndex || !isSame(level, other)) return true;
      return (
        level.track.score > other.track.score ||
        (level.track.score === other.track.score && index < otherIndex)
      );
    }),
  );
}

/** The period that lasts longest: the median of the beats' periods, each weighted by its own length. Null without beats. */
function findCommonPeriodFrames(beats: readonly TrackedBeat[]): number | null {
  const periodsFrames = beats.map((beat) => beat.periodFrames).sort((a, b) => a - b);
  const halfFrames = periodsFrames.reduce((sum, frames) => sum + frames, 0) / 2;
  let passedFrames = 0;
  for (const periodFrames of periodsFrames) {
    passedFrames += periodFrames;
    if (passedFrames >= halfFrames) return periodFrames;
  }
  return null;
}
