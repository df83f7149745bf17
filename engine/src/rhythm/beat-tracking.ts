/**
 * Where are the beats and bars, at the level people tap?
 *
 * 1. find the tempo levels (tempo-levels.ts)  2. choose one (tempo-choice.ts)  3. track its beats and bars (bar-tracker.ts)  4. correct the
 *    bar lines with the chords, if those are known (bar-lines.ts). Each file names its source; the order and the numbers below are our own.
 *
 * Only the final track may change meter, between the chosen one and the two common ones; levels and meters are compared in single meters.
 */

import { ParameterError } from '../parameter-error.ts';
import type { AnalysisHints } from '../result.ts';
import type { Kernels } from '../signal/kernels.ts';
import type { Style } from '../tags/style.ts';
import type { ChordActivation } from '../tonal/chord-activation.ts';
import { placeBarLines } from './bar-lines.ts';
import { type BarTrack, trackBars } from './bar-tracker.ts';
import { type BeatActivation, observeBeats } from './beat-activation.ts';
import { chooseMeter, chooseTempo, type TempoChoice } from './tempo-choice.ts';
import { findTempoLevels, LEVEL_RATIOS, type TempoLevels, type TempoRange } from './tempo-levels.ts';

export type BeatTracking = { choice: TempoChoice; track: BarTrack };

/** The part of the tracking that the result needs, which a metronome has too (metronome.ts). */
export type BeatPulse = {
  choice: Pick<TempoChoice, 'levelWeight' | 'meterWeight' | 'alternatives'>;
  track: Pick<BarTrack, 'beats' | 'score'>;
};

/** The range without a hint: in slower or faster music people tap another level. */
const BPM_MIN = 40;
const BPM_MAX = 260;
/** The range that hints may name; the tracker's longest period is 254 frames, 12 BPM (bar-tracker.ts). */
const HINT_BPM_MIN = 20;
const HINT_BPM_MAX = 400;
/** How far the music may be from the hinted tempo: a little more than a semitone of tape speed. */
const HINT_TOLERANCE_RATIO = 1.08;
const HINT_METER_BEATS_MAX = 16;
const COMPARED_METERS = [2, 3, 4, 6];
/** Compared only at the chosen level, since they do not help to choose the level. */
const RARE_METERS = [5, 7];
const COMMON_METERS = [4, 3];
/** As much as eight downbeats of activation 0.9 score (beat-activation.ts). Set on songs of the dev corpus and on composed clips. */
const METER_CHANGE_COST = 40;

// Music strays when its tempo changes for good. Set by ear on the dev corpus, the last two on recordings (docs/algorithms.md).

/** Share of the time for which the free track must be off every level. */
const STRAY_SHARE = 0.15;
/** Beats over which the tempo of the free track is measured. */
const STRAY_BEATS = 8;
/** Beyond this distance the free track is off a level. */
const STRAY_DISTANCE_LOG_RATIO = 0.05;
/** The factor by which the free track must outscore every track held to a level; slips to double tempo gain less. */
const STRAY_GAIN_RATIO = 1.15;
/** How far a straying tempo may go from the chosen one: not to its double, to which the track could slip. */
const STRAY_WIDTH_RATIO = 1.6;

/** Null when no path of beats scores more than none. */
export function trackBeats(
  kernels: Kernels,
  activation: BeatActivation,
  hints: AnalysisHints = {},
  chords: ChordActivation | null = null,
  style: Style | null = null,
): BeatTracking | null {
  const { frameRateHz, source } = activation;
  const observations = observeBeats(activation);
  const durationSeconds = activation.beat.length / frameRateHz;
  const range = readTempoRange(hints);
  const hinted = readMeter(hints);
  const meters = hinted === null ? COMPARED_METERS : [hinted];
  const levels = findTempoLevels(kernels, observations, { frameRateHz, range, meters });
  const choice = chooseTempo(levels.levels, meters, durationSeconds, source, style);
  if (choice === null) return null;
  const { bpmMin, bpmMax, track: held } = choice.level;
  if (hinted === null) {
    const rare = trackBars(kernels, observations, {
      frameRateHz,
      bpmMin,
      bpmMax,
      meters: RARE_METERS,
      meterChangeCost: Number.POSITIVE_INFINITY,
      isScoreOnly: true,
    });
    const scores = [...held.meterScores, ...rare.meterScores];
    Object.assign(choice, chooseMeter([...meters, ...RARE_METERS], scores, durationSeconds, source));
  }
  const bars = {
    frameRateHz,
    meters: hinted === null ? [...new Set([choice.beatsPerBar, ...COMMON_METERS])] : [hinted],
    meterChangeCost: METER_CHANGE_COST,
  };
  const track = trackBars(kernels, observations, {
    ...bars,
    ...(isStraying(levels, choice, frameRateHz) ? widen(choice.level.bpm, range) : { bpmMin, bpmMax }),
  });
  if (chords) track.beats = placeBarLines(track.beats, observations, chords, bars);
  return { choice, track };
}

/** Whether the free track scores much higher and is often at tempi in no simple ratio to the chosen one. */
function isStraying({ free, levels }: TempoLevels, { level }: TempoChoice, frameRateHz: number): boolean {
  if (levels.some(({ track }) => free.score < STRAY_GAIN_RATIO * track.score)) return false;
  let strayFrames = 0;
  let allFrames = 0;
  // Over several beats, since a single period is accurate only to a frame, 8 % of a fast beat.
  for (let n = STRAY_BEATS; n < free.beats.length; n += STRAY_BEATS) {
    const spanFrames = free.beats[n]!.frame - free.beats[n - STRAY_BEATS]!.frame;
    const ratio = (60 * frameRateHz * STRAY_BEATS) / spanFrames / level.bpm;
    const distanceLogRatio = Math.min(...LEVEL_RATIOS.map((known) => Math.abs(Math.log(ratio / known))));
    if (distanceLogRatio > STRAY_DISTANCE_LOG_RATIO) strayFrames += spanFrames;
    allFrames += spanFrames;
  }
  return strayFrames > STRAY_SHARE * allFrames;
}

function widen(bpm: number, { bpmMin, bpmMax }: TempoRange): TempoRange {
  return {
    bpmMin: Math.max(bpmMin, bpm / STRAY_WIDTH_RATIO),
    bpmMax: Math.min(bpmMax, bpm * STRAY_WIDTH_RATIO),
  };
}

/** The range of tempi to search. Throws if the hints contradict each other or the limits. */
export function readTempoRange({ bpm, bpmMin, bpmMax }: AnalysisHints): TempoRange {
  for (const value of [bpm, bpmMin, bpmMax]) {
    if (value !== undefined && !(value >= HINT_BPM_MIN && value <= HINT_BPM_MAX)) {
      throw new ParameterError(`a tempo hint must be ${HINT_BPM_MIN} to ${HINT_BPM_MAX} BPM, is ${value}`);
    }
  }
  if (bpmMin !== undefined && bpmMax !== undefined && bpmMin > bpmMax) {
    throw new ParameterError(`bpmMin ${bpmMin} is above bpmMax ${bpmMax}`);
  }
  const range =
    bpm === undefined
      ? {
          // A bound outside the usual range extends that side of it.
          bpmMin: bpmMin ?? (bpmMax !== undefined && bpmMax <= BPM_MIN ? HINT_BPM_MIN : BPM_MIN),
          bpmMax: bpmMax ?? (bpmMin !== undefined && bpmMin >= BPM_MAX ? HINT_BPM_MAX : BPM_MAX),
        }
      : {
          bpmMin: Math.max(bpm / HINT_TOLERANCE_RATIO, bpmMin ?? 0),
          bpmMax: Math.min(bpm * HINT_TOLERANCE_RATIO, bpmMax ?? Number.POSITIVE_INFINITY),
        };
  if (range.bpmMin > range.bpmMax) {
    const bounds = `${bpmMin ?? HINT_BPM_MIN} to ${bpmMax ?? HINT_BPM_MAX} BPM`;
    throw new ParameterError(`bpm ${bpm} is not within ${bounds}`);
  }
  return range;
}

/** The hinted beats in a bar; null without a hint. */
export function readMeter({ timeSignature }: AnalysisHints): number | null {
  if (timeSignature === undefined) return null;
  if (!Number.isInteger(timeSignature) || timeSignature < 1 || timeSignature > HINT_METER_BEATS_MAX) {
    throw new ParameterError(
      `timeSignature must be a whole number of 1 to ${HINT_METER_BEATS_MAX} beats, is ${timeSignature}`,
    );
  }
  return timeSignature;
}
