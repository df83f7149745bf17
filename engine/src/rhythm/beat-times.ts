/**
 * When exactly are the tracked beats, and where does a listener count beats that are not heard?
 *
 * 1. move each beat to the peak of the activation around it, between frames  2. count beats through rests, if a whole number of them fits
 * 3. count back to where the sound begins and on to where it ends. The rules are our own, and their limits chosen by ear.
 */

import type { TrackedBeat } from './bar-tracker.ts';
import type { BeatActivation } from './beat-activation.ts';
import { interpolatePeak } from './peak.ts';
import type { SoundSpan } from './sound-span.ts';

export type BeatTime = {
  timeSeconds: number;
  /** 0 is the downbeat. */
  placeInBar: number;
  beatsPerBar: number;
  /** How plainly it was heard, 0..1; 0 for a beat that was only counted. */
  beatActivation: number;
  downbeatActivation: number;
};

/** How far from its frame a beat may be moved: 40 ms, inside the tolerance of 70 ms by which beats are judged. */
const SNAP_FRAMES = 2;
/** A lower peak is noise: no beat is moved to it, and a beat on it counts as not heard. */
const HEARD_ACTIVATION_MIN = 0.05;
/** This many beats in a row that were not heard are a rest. */
const SILENT_RUN_BEATS = 4;
/** A gap longer than this many common intervals is a rest. */
const REST_BEATS = 1.6;
/** A rest is counted through if its length is this near a whole number of beats. */
const COUNT_TOLERANCE_BEATS = 0.25;
/** Longer rests are not counted through: a listener would have lost count too. */
const COUNT_BEATS_MAX = 32;
/** Intervals from which the tempo beside a rest, or at either end, is taken. */
const EDGE_INTERVALS = 8;

export function placeBeats(
  tracked: readonly TrackedBeat[],
  activation: BeatActivation,
  sound: SoundSpan,
): BeatTime[] {
  const heard = tracked.map((beat): BeatTime => {
    const peak = findPeak(activation.beat, beat.frame);
    const frame = Math.round(peak);
    return {
      timeSeconds: Math.max(0, peak / activation.frameRateHz),
      placeInBar: beat.placeInBar,
      beatsPerBar: beat.beatsPerBar,
      beatActivation: activation.beat[frame]!,
      downbeatActivation: activation.downbeat[frame]!,
    };
  });
  return countOutwards(countThroughRests(heard), sound);
}

function findPeak(curve: Float32Array, frame: number): number {
  let highest = frame;
  for (let other = frame - SNAP_FRAMES; other <= frame + SNAP_FRAMES; other++) {
    if ((curve[other] ?? 0) > curve[highest]!) highest = other;
  }
  return curve[highest]! < HEARD_ACTIVATION_MIN ? frame : interpolatePeak(curve, highest);
}

/** Fills rests, and replaces runs of beats that were not heard, with evenly spaced beats if a whole number of them fits; else leaves them as tracked. */
function countThroughRests(tracked: readonly BeatTime[]): BeatTime[] {
  if (tracked.length < 2) return [...tracked];
  const commonSeconds = medianInterval(tracked);
  const kept = tracked.filter((_, index) => !isInsideSilentRun(tracked, index));
  return kept.flatMap((beat, index) => {
    const last = kept[index - 1];
    if (last === undefined || beat.timeSeconds - last.timeSeconds <= REST_BEATS * commonSeconds)
      return [beat];
    const isBetween = ({ timeSeconds }: BeatTime): boolean =>
      timeSeconds > last.timeSeconds && timeSeconds < beat.timeSeconds;
    return [...(countBetween(kept, index, commonSeconds) ?? tracked.filter(isBetween)), beat];
  });
}

/** The beats of the rest before beat `index`; null when no whole number of them fits. */
function countBetween(beats: readonly BeatTime[], index: number, commonSeconds: number): BeatTime[] | null {
  const last = beats[index - 1]!;
  const gapSeconds = beats[index]!.timeSeconds - last.timeSeconds;
  const before = averageInterval(beats.slice(Math.max(0, index - 1 - EDGE_INTERVALS), index));
  const after = averageInterval(beats.slice(index, index + 1 + EDGE_INTERVALS));
  const periodSeconds = ((before ?? after ?? commonSeconds) + (after ?? before ?? commonSeconds)) / 2;
  const count = Math.round(gapSeconds / periodSeconds);
  const isOff = Math.abs(gapSeconds / periodSeconds - count) >= COUNT_TOLERANCE_BEATS;
  if (count > COUNT_BEATS_MAX || isOff) return null;
  return Array.from({ length: count - 1 }, (_, n) =>
    countedBeat(last, n + 1, last.timeSeconds + ((n + 1) * gapSeconds) / count),
  );
}

function isInsideSilentRun(beats: readonly BeatTime[], index: number): boolean {
  const isSilent = (at: number): boolean => (beats[at]?.beatActivation ?? 1) < HEARD_ACTIVATION_MIN;
  if (!isSilent(index)) return false;
  let first = index;
  let last = index;
  while (isSilent(first - 1)) first--;
  while (isSilent(last + 1)) last++;
  return last - first + 1 >= SILENT_RUN_BEATS;
}

function countOutwards(beats: readonly BeatTime[], sound: SoundSpan): BeatTime[] {
  const first = beats[0];
  const last = beats.at(-1);
  const firstPeriodSeconds = averageInterval(beats.slice(0, EDGE_INTERVALS + 1));
  const lastPeriodSeconds = averageInterval(beats.slice(-EDGE_INTERVALS - 1));
  if (
    first === undefined ||
    last === undefined ||
    firstPeriodSeconds === null ||
    lastPeriodSeconds === null
  ) {
    return [...beats];
  }
  const before: BeatTime[] = [];
  for (let n = 1; n <= COUNT_BEATS_MAX; n++) {
    const timeSeconds = first.timeSeconds - n * firstPeriodSeconds;
    // The first sound may come a little after its beat.
    if (timeSeconds < 0 || timeSeconds < sound.startSeconds - firstPeriodSeconds / 4) break;
    before.unshift(countedBeat(first, -n, timeSeconds));
  }
  const after: BeatTime[] = [];
  for (let n = 1; n <= COUNT_BEATS_MAX; n++) {
    const timeSeconds = last.timeSeconds + n * lastPeriodSeconds;
    if (timeSeconds >= sound.endSeconds) break;
    after.push(countedBeat(last, n, timeSeconds));
  }
  return [...before, ...beats, ...after];
}

function countedBeat(from: BeatTime, steps: number, timeSeconds: number): BeatTime {
  const { beatsPerBar } = from;
  const placeInBar = (((from.placeInBar + steps) % beatsPerBar) + beatsPerBar) % beatsPerBar;
  return { timeSeconds, placeInBar, beatsPerBar, beatActivation: 0, downbeatActivation: 0 };
}

/** In seconds: the least squares slope of time over beat number, which a single early beat moves less than it moves the mean interval. Null for a single beat. */
function averageInterval(beats: readonly BeatTime[]): number | null {
  if (beats.length < 2) return null;
  const middle = (beats.length - 1) / 2;
  let products = 0;
  let squares = 0;
  beats.forEach((beat, index) => {
    products += (index - middle) * beat.timeSeconds;
    squares += (index - middle) ** 2;
  });
  return products / squares;
}

/** In seconds, of at least two beats. */
function medianInterval(beats: readonly BeatTime[]): number {
  const intervalsSeconds = beats.slice(1).map((beat, index) => beat.timeSeconds - beats[index]!.timeSeconds);
  return intervalsSeconds.sort((a, b) => a - b)[intervalsSeconds.length >> 1]!;
}
