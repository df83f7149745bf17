/**
 * When exactly do the tracked beats fall, and where does a listener go on counting although no beat is audible?
 *
 * 1. move each beat to the peak of the activation around it, between frames  2. count beats through rests, if a whole number of them fits
 * 3. count back to where the sound begins and on to where it ends. The rules are our own, and their limits were chosen by ear.
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
  /** At this time, 0..1; both are 0 for a beat that was only counted. */
  beatActivation: number;
  downbeatActivation: number;
};

/** How far a beat may be moved: 40 ms, and 10 ms more between frames, within the tolerance of 70 ms by which beats are evaluated. */
const SNAP_FRAMES = 2;
/** A lower peak is noise: no beat is moved to it, and a beat on it counts as inaudible. */
const AUDIBLE_ACTIVATION_MIN = 0.05;
/** This many inaudible beats in a row are a rest. */
const SILENT_RUN_BEATS = 4;
/** A gap longer than this many median intervals is a rest. */
const REST_BEATS = 1.6;
/** A rest is counted through if its length is this close to a whole number of beats. */
const COUNT_TOLERANCE_BEATS = 0.25;
/** Longer rests are not counted through: a listener would lose count too. */
const COUNT_BEATS_MAX = 32;
/** The tempo next to a rest, or at either end, is that of this many intervals, or fewer if another rest is nearer. */
const EDGE_INTERVALS = 8;
/** How long the first sound may come after its beat, as a share of the beat. */
const LATE_SOUND_SHARE = 1 / 4;

export function placeBeats(
  tracked: readonly TrackedBeat[],
  activation: BeatActivation,
  sound: SoundSpan,
): BeatTime[] {
  const placed = tracked.map((beat): BeatTime => {
    const peakFrame = findPeak(activation.beat, beat.frame);
    const frame = Math.round(peakFrame);
    return {
      timeSeconds: peakFrame / activation.frameRateHz,
      placeInBar: beat.placeInBar,
      beatsPerBar: beat.beatsPerBar,
      beatActivation: activation.beat[frame]!,
      downbeatActivation: activation.downbeat[frame]!,
    };
  });
  return countOutwards(countThroughRests(placed), sound);
}

/** Fractional, between frames. */
function findPeak(curve: Float32Array, frame: number): number {
  let highest = frame;
  for (let other = frame - SNAP_FRAMES; other <= frame + SNAP_FRAMES; other++) {
    if ((curve[other] ?? 0) > curve[highest]!) highest = other;
  }
  return curve[highest]! < AUDIBLE_ACTIVATION_MIN ? frame : interpolatePeak(curve, highest);
}

/**
 * Replaces rests and runs of inaudible beats by evenly spaced beats if a whole number of them fits; otherwise leaves them as tracked. A
 * run at either end is dropped: countOutwards counts there, as far as a listener would.
 */
function countThroughRests(tracked: readonly BeatTime[]): BeatTime[] {
  if (tracked.length < 2) return [...tracked];
  const medianSeconds = medianIntervalSeconds(tracked);
  const kept = tracked.filter((_, index) => !isInsideSilentRun(tracked, index));
  return kept.flatMap((beat, index) => {
    const last = kept[index - 1];
    if (last === undefined || beat.timeSeconds - last.timeSeconds <= REST_BEATS * medianSeconds)
      return [beat];
    const isBetween = ({ timeSeconds }: BeatTime): boolean =>
      timeSeconds > last.timeSeconds && timeSeconds < beat.timeSeconds;
    return [...(countBetween(kept, index, medianSeconds) ?? tracked.filter(isBetween)), beat];
  });
}

/** The beats of the rest before beat `index`; null when no whole number of them fits, or too many. */
function countBetween(beats: readonly BeatTime[], index: number, medianSeconds: number): BeatTime[] | null {
  const last = beats[index - 1]!;
  const gapSeconds = beats[index]!.timeSeconds - last.timeSeconds;
  const beforeSeconds = fitEdgeSeconds(beats, index - 1, -1, medianSeconds);
  const afterSeconds = fitEdgeSeconds(beats, index, 1, medianSeconds);
  const periodSeconds =
    ((beforeSeconds ?? afterSeconds ?? medianSeconds) + (afterSeconds ?? beforeSeconds ?? medianSeconds)) / 2;
  const count = Math.round(gapSeconds / periodSeconds);
  const isOff = Math.abs(gapSeconds / periodSeconds - count) >= COUNT_TOLERANCE_BEATS;
  if (count > COUNT_BEATS_MAX || isOff) return null;
  return Array.from({ length: count - 1 }, (_, n) =>
    countedBeat(last, n + 1, last.timeSeconds + ((n + 1) * gapSeconds) / count),
  );
}

function isInsideSilentRun(beats: readonly BeatTime[], index: number): boolean {
  const isSilent = (at: number): boolean => (beats[at]?.beatActivation ?? 1) < AUDIBLE_ACTIVATION_MIN;
  if (!isSilent(index)) return false;
  let first = index;
  let last = index;
  while (isSilent(first - 1)) first--;
  while (isSilent(last + 1)) last++;
  return last - first + 1 >= SILENT_RUN_BEATS;
}

function countOutwards(beats: readonly BeatTime[], sound: SoundSpan): BeatTime[] {
  if (beats.length < 2) return [...beats];
  const medianSeconds = medianIntervalSeconds(beats);
  const firstPeriodSeconds = fitEdgeSeconds(beats, 0, 1, medianSeconds) ?? medianSeconds;
  const lastPeriodSeconds = fitEdgeSeconds(beats, beats.length - 1, -1, medianSeconds) ?? medianSeconds;
  const first = beats[0]!;
  const last = beats.at(-1)!;
  const before: BeatTime[] = [];
  for (let n = 1; n <= COUNT_BEATS_MAX; n++) {
    const timeSeconds = first.timeSeconds - n * firstPeriodSeconds;
    if (timeSeconds < Math.max(0, sound.startSeconds - LATE_SOUND_SHARE * firstPeriodSeconds)) break;
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

/** The interval from beat `index` on, backwards or forwards, up to the next rest. Null where that rest follows at once. */
function fitEdgeSeconds(
  beats: readonly BeatTime[],
  index: number,
  step: -1 | 1,
  medianSeconds: number,
): number | null {
  let end = index;
  while (Math.abs(end - index) < EDGE_INTERVALS && beats[end + step] !== undefined) {
    if (isRestBefore(beats, Math.max(end, end + step), medianSeconds)) break;
    end += step;
  }
  return fitIntervalSeconds(beats.slice(Math.min(index, end), Math.max(index, end) + 1));
}

/** Where the music is slower, long intervals follow one another; a rest stands out from an interval next to it. */
function isRestBefore(beats: readonly BeatTime[], index: number, medianSeconds: number): boolean {
  const secondsBefore = (at: number): number =>
    (beats[at]?.timeSeconds ?? Number.POSITIVE_INFINITY) -
    (beats[at - 1]?.timeSeconds ?? Number.NEGATIVE_INFINITY);
  const neighbourSeconds = Math.min(secondsBefore(index - 1), secondsBefore(index + 1));
  return secondsBefore(index) > REST_BEATS * Math.max(medianSeconds, neighbourSeconds);
}

/** Least squares slope of time over beat number, which one early beat affects less than it does the mean interval. Null for one beat. */
function fitIntervalSeconds(beats: readonly BeatTime[]): number | null {
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

/** Of at least two beats; of an even number of intervals, the longer of the middle two. */
function medianIntervalSeconds(beats: readonly BeatTime[]): number {
  const intervalsSeconds = beats.slice(1).map((beat, index) => beat.timeSeconds - beats[index]!.timeSeconds);
  return intervalsSeconds.sort((a, b) => a - b)[intervalsSeconds.length >> 1]!;
}
