/**
 * From tracked beats to times in seconds.
 *
 * 1. move each beat to the peak of the activation beside it, between frames  2. count on through stretches where nothing was heard, if the beats on
 *    either side agree about the tempo  3. count back to where the sound begins and on to where it ends.
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
  /** Activation at the beat; 0 where the beat was only counted. */
  beatActivation: number;
  downbeatActivation: number;
};

/** How far from its frame a beat may be moved: 40 ms, inside the tolerance of 70 ms by which beats are judged. */
const SNAP_FRAMES = 2;
/** A lower peak is noise: it moves no beat, and a beat on it was not heard. */
const HEARD_ACTIVATION_MIN = 0.05;
/** So many beats in a row on which nothing was heard are a rest. */
const SILENT_RUN_BEATS = 4;
/** A gap this much longer than the common interval is a rest. */
const REST_BEATS = 1.6;
/** A rest is counted through if its length is this near a whole number of beats, in beats. */
const COUNT_TOLERANCE_BEATS = 0.25;
/** Longer rests end the count: a listener would have lost it too. */
const COUNT_BEATS_MAX = 32;
/** Intervals that tell the tempo at either end. */
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

/**
 * Where the tracker rested, or heard nothing for several beats and wandered: evenly spaced beats if a whole number of them fits, else as tracked.
 */
function countThroughRests(tracked: readonly BeatTime[]): BeatTime[] {
  const common = medianInterval(tracked);
  const kept = tracked.filter((_, index) => !isInsideSilentRun(tracked, index));
  const beats: BeatTime[] = [];
  kept.forEach((beat, index) => {
    const last = kept[index - 1];
    const gap = last === undefined ? 0 : beat.timeSeconds - last.timeSeconds;
    if (last !== undefined && gap > REST_BEATS * common) {
      const before = averageInterval(kept.slice(Math.max(0, index - 1 - EDGE_INTERVALS), index));
      const after = averageInterval(kept.slice(index, index + 1 + EDGE_INTERVALS));
      const period = ((before ?? after ?? common) + (after ?? before ?? common)) / 2;
      const count = Math.round(gap / period);
      if (count <= COUNT_BEATS_MAX && Math.abs(gap / period - count) < COUNT_TOLERANCE_BEATS) {
        for (let n = 1; n < count; n++)
          beats.push(countedBeat(last, n, last.timeSeconds + (n * gap) / count));
      } else {
        const isBetween = ({ timeSeconds }: BeatTime): boolean =>
          timeSeconds > last.timeSeconds && timeSeconds < beat.timeSeconds;
        beats.push(...tracked.filter(isBetween));
      }
    }
    beats.push(beat);
  });
  return beats;
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
  const firstPeriod = averageInterval(beats.slice(0, EDGE_INTERVALS + 1));
  const lastPeriod = averageInterval(beats.slice(-EDGE_INTERVALS - 1));
  if (first === undefined || last === undefined || firstPeriod === null || lastPeriod === null) {
    return [...beats];
  }
  const before: BeatTime[] = [];
  for (let n = 1; n <= COUNT_BEATS_MAX; n++) {
    const timeSeconds = first.timeSeconds - n * firstPeriod;
    // A first sound a little late is still on its beat.
    if (timeSeconds < 0 || timeSeconds < sound.startSeconds - firstPeriod / 4) break;
    before.unshift(countedBeat(first, -n, timeSeconds));
  }
  const after: BeatTime[] = [];
  for (let n = 1; n <= COUNT_BEATS_MAX; n++) {
    const timeSeconds = last.timeSeconds + n * lastPeriod;
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

/** Least squares slope of time over beat number: less shaken by one early beat than the mean interval. Null for a single beat. */
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

function medianInterval(beats: readonly BeatTime[]): number {
  const intervals = beats.slice(1).map((beat, index) => beat.timeSeconds - beats[index]!.timeSeconds);
  return intervals.sort((a, b) => a - b)[intervals.length >> 1] ?? 0;
}
