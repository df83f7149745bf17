/**
 * From tracked beats to times in seconds.
 *
 * 1. move each beat to the peak of the activation beside it, between frames  2. count on through stretches where the tracker rested, if the beats on
 *    either side agree about the tempo  3. count back to where the sound begins and on to where it ends.
 */

import type { TrackedBeat } from './bar-tracker.ts';
import type { BeatActivation } from './beat-activation.ts';
import { interpolatePeak } from './peak.ts';

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
/** A lower peak is noise and moves nothing. */
const SNAP_ACTIVATION_MIN = 0.05;
/** A gap is counted through if its length is this near a whole number of beats, in beats. */
const COUNT_TOLERANCE_BEATS = 0.25;
/** Longer rests end the count: a listener would have lost it too. */
const COUNT_BEATS_MAX = 32;
/** Intervals that tell the tempo at either end. */
const EDGE_INTERVALS = 8;

export type SoundSpan = { startSeconds: number; endSeconds: number };

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
  const periods = tracked.map((beat) => beat.periodFrames / activation.frameRateHz);
  return countOutwards(countThroughRests(heard, periods), sound);
}

function findPeak(curve: Float32Array, frame: number): number {
  let highest = frame;
  for (let other = frame - SNAP_FRAMES; other <= frame + SNAP_FRAMES; other++) {
    if ((curve[other] ?? 0) > curve[highest]!) highest = other;
  }
  return curve[highest]! < SNAP_ACTIVATION_MIN ? frame : interpolatePeak(curve, highest);
}

function countThroughRests(heard: readonly BeatTime[], periodsSeconds: readonly number[]): BeatTime[] {
  const beats: BeatTime[] = [];
  heard.forEach((beat, index) => {
    const last = heard[index - 1];
    if (last !== undefined) {
      const gap = beat.timeSeconds - last.timeSeconds;
      const period = (periodsSeconds[index - 1]! + periodsSeconds[index]!) / 2;
      const count = Math.round(gap / period);
      const fits = Math.abs(gap / period - count) < COUNT_TOLERANCE_BEATS * Math.sqrt(count);
      if (count >= 2 && count <= COUNT_BEATS_MAX && fits) {
        for (let n = 1; n < count; n++)
          beats.push(countedBeat(last, n, last.timeSeconds + (n * gap) / count));
      }
    }
    beats.push(beat);
  });
  return beats;
}

function countOutwards(beats: readonly BeatTime[], sound: SoundSpan): BeatTime[] {
  const first = beats[0];
  const last = beats.at(-1);
  if (first === undefined || last === undefined || beats.length < 3) return [...beats];
  const before: BeatTime[] = [];
  const firstPeriod = averageInterval(beats.slice(0, EDGE_INTERVALS + 1));
  for (let n = 1; n <= COUNT_BEATS_MAX; n++) {
    const timeSeconds = first.timeSeconds - n * firstPeriod;
    // A first sound a little late is still on its beat.
    if (timeSeconds < 0 || timeSeconds < sound.startSeconds - firstPeriod / 4) break;
    before.unshift(countedBeat(first, -n, timeSeconds));
  }
  const after: BeatTime[] = [];
  const lastPeriod = averageInterval(beats.slice(-EDGE_INTERVALS - 1));
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

/** Least squares slope of time over beat number: less shaken by one early beat than the mean interval. */
function averageInterval(beats: readonly BeatTime[]): number {
  const middle = (beats.length - 1) / 2;
  let products = 0;
  let squares = 0;
  beats.forEach((beat, index) => {
    products += (index - middle) * beat.timeSeconds;
    squares += (index - middle) ** 2;
  });
  return products / squares;
}
