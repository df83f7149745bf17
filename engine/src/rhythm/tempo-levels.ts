/**
 * At which tempi could a listener tap to this music? At the one the tracker finds, and at those in a simple ratio to it, each tracked on its own.
 *
 * 1. track freely  2. take the tempo that holds longest  3. for it and for its half, double, third, triple and the like, track again with the
 *    tempo held near that level and the meter held throughout, for every meter.
 *
 * A free track may jump between half and double tempo inside a song; tracks that are held to one level can be compared as wholes
 * (tempo-choice.ts). The procedure and its numbers are our own; the tracker is that of Krebs et al. (bar-tracker.ts).
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
  /** The track that is held to no level. */
  free: BarTrack;
  levels: TempoLevel[];
};

export type TempoRange = { bpmMin: number; bpmMax: number };

/** Meters of the free track, which only has to find the common tempo: three and four stand for all. */
const FREE_METERS = [3, 4];
/** Coarser than the tracker's own step: its tempo only has to fall inside a level. */
const FREE_TEMPO_STEP_LOG_RATIO = 0.03;
/** Twice and thrice as fast or slow, and the dotted levels of compound and triplet music. */
export const LEVEL_RATIOS = [1, 1 / 3, 1 / 2, 2 / 3, 3 / 2, 2, 3];
/** Half the width of a level: wide enough for a band without a click, too narrow to hold two levels. */
const LEVEL_WIDTH_RATIO = 1.2;
/** Levels this near are one: two steps of the tracker's grid. */
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
  const commonFrames = findCommonPeriod(free.beats);
  if (commonFrames === null) return { free, levels: [] };
  // The tracker's tempo grid may reach just beyond the range.
  const heardBpm = Math.min(range.bpmMax, Math.max(range.bpmMin, (60 * frameRateHz) / commonFrames));
  const tracks = LEVEL_RATIOS.map((ratio) => heardBpm * ratio)
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

/** Where two levels have found the same tempo between them, keeps the one whose track scores more. */
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

/** The period in frames that holds for the longest time: the median of the beats' periods, each weighted by its own length. Null without beats. */
function findCommonPeriod(beats: readonly TrackedBeat[]): number | null {
  const periods = beats.map((beat) => beat.periodFrames).sort((a, b) => a - b);
  const half = periods.reduce((sum, period) => sum + period, 0) / 2;
  let passed = 0;
  for (const period of periods) {
    passed += period;
    if (passed >= half) return period;
  }
  return null;
}
