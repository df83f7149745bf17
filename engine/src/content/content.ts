/**
 * What kind of sound is where: music, speech, noise or silence?
 *
 * 1. find the seconds without sound  2. describe the rest in windows of three seconds (window-features.ts, which names the source)
 * 3. classify each window, with a steady pulse as evidence of music; a second gets the mean of the windows that cover it
 * 4. find the most likely sequence of kinds at a cost for each change (Viterbi), and join it into regions.
 * Singing counts as music, and speech over music as whichever prevails.
 */

import type { Content, ContentKind, UnavailableReason } from '../result.ts';
import { copyFrames, type FrameMatrix } from '../signal/frame-matrix.ts';
import { MEL_FRAMES, type SpectralFrames } from '../signal/front-end.ts';
import { classifyWindow, KINDS, type KindProbabilities } from './content-classifier.ts';
import { describeFrames } from './frame-features.ts';
import { WINDOW_SECONDS } from './level-movement.ts';
import { describeWindow } from './window-features.ts';

/** The energy of a mel frame, the sum of the squares of its magnitudes, for noise at -75 dBFS. */
const SILENCE_ENERGY = MEL_FRAMES.bandCount * 1e-8;
/** The cost of a change of kind: a single second becomes a region only if the log odds for it are twice this, for a change there and one back. */
const CHANGE_COST_LOG_ODDS = 6;
/** Keeps the logarithm of a probability finite, without affecting any that could decide. */
const PROBABILITY_FLOOR = 1e-6;
/**
 * A pulse is steady if the beats in the window, extended by this margin on either side, have at least so many intervals, and the standard deviation of
 * these is less than this share of their mean. Set by hand.
 */
const PULSE_MARGIN_SECONDS = 1;
const PULSE_INTERVALS_MIN = 4;
const PULSE_DEVIATION_SHARE_MAX = 0.04;

export type DescribedContent = {
  content: Pick<Content, 'regions'>;
  /** Mean probability of speech over the seconds with sound; null without any. */
  speechiness: number | null;
  unavailable: Record<string, UnavailableReason>;
};

/** The mean over the windows that cover a second; null for a second without sound. */
type Second = KindProbabilities | null;

/** `beatsSeconds` is empty when there is no pulse. */
export function describeContent(frames: SpectralFrames, beatsSeconds: readonly number[]): DescribedContent {
  const unavailable: Record<string, UnavailableReason> = {};
  const seconds = frames.durationSeconds < WINDOW_SECONDS ? [] : classifySeconds(frames, beatsSeconds);
  const heard = seconds.filter((second) => second !== null);
  if (seconds.length === 0) unavailable['content.regions'] = 'too_short';
  if (heard.length === 0) unavailable.speechiness = seconds.length === 0 ? 'too_short' : 'silence';
  return {
    content: { regions: joinRegions(seconds, frames.durationSeconds) },
    speechiness:
      heard.length === 0 ? null : heard.reduce((sum, { speech }) => sum + speech, 0) / heard.length,
    unavailable,
  };
}

function classifySeconds(
  { mel, pitch, durationSeconds }: SpectralFrames,
  beatsSeconds: readonly number[],
): Second[] {
  const sounding = markSounding(mel, Math.floor(durationSeconds));
  const described = describeFrames(mel, pitch);
  const sums = sounding.map((): number[] | null => null);
  for (const [first, end] of findRuns(sounding)) {
    for (const startSeconds of placeWindows(first, end, durationSeconds)) {
      const features = describeWindow(described, startSeconds, SILENCE_ENERGY);
      if (features === null) continue;
      const probabilities = classifyWindow(features, hasSteadyPulse(beatsSeconds, startSeconds));
      const lastEnd = Math.min(end, startSeconds + WINDOW_SECONDS);
      for (let second = Math.max(first, Math.floor(startSeconds)); second < lastEnd; second++) {
        const before = sums[second] ?? KINDS.map(() => 0);
        sums[second] = KINDS.map((kind, k) => before[k]! + probabilities[kind]);
      }
    }
  }
  return sums.map((sum): Second => {
    if (sum === null) return null;
    const total = sum.reduce((a, b) => a + b, 0);
    const [music, speech, noise] = sum.map((value) => value / total);
    return { music: music!, speech: speech!, noise: noise! };
  });
}

/** Whether beats run through the window at even intervals. */
function hasSteadyPulse(beatsSeconds: readonly number[], startSeconds: number): boolean {
  const first = findFirstAtOrAfter(beatsSeconds, startSeconds - PULSE_MARGIN_SECONDS);
  const endSeconds = startSeconds + WINDOW_SECONDS + PULSE_MARGIN_SECONDS;
  const intervalsSeconds: number[] = [];
  for (let i = first + 1; i < beatsSeconds.length && beatsSeconds[i]! <= endSeconds; i++) {
    intervalsSeconds.push(beatsSeconds[i]! - beatsSeconds[i - 1]!);
  }
  if (intervalsSeconds.length < PULSE_INTERVALS_MIN) return false;
  const meanSeconds = intervalsSeconds.reduce((a, b) => a + b, 0) / intervalsSeconds.length;
  const variance =
    intervalsSeconds.reduce((sum, seconds) => sum + (seconds - meanSeconds) ** 2, 0) /
    intervalsSeconds.length;
  return Math.sqrt(variance) < PULSE_DEVIATION_SHARE_MAX * meanSeconds;
}

/** By bisection, because a file of hours has thousands of windows and of beats. */
function findFirstAtOrAfter(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether each whole second sounds. */
function markSounding(mel: FrameMatrix, secondCount: number): boolean[] {
  const framesPerSecond = Math.round(mel.frameRateHz);
  const magnitudes = new Float32Array(framesPerSecond * mel.binCount);
  return Array.from({ length: secondCount }, (_, second) => {
    copyFrames(mel, second * framesPerSecond, (second + 1) * framesPerSecond, magnitudes);
    let energy = 0;
    for (let at = 0; at < magnitudes.length; at++) energy += magnitudes[at]! * magnitudes[at]!;
    return energy / mel.frameRateHz > SILENCE_ENERGY;
  });
}

/** [first, end) of each run of seconds with sound. */
function findRuns(sounding: boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  sounding.forEach((sounds, second) => {
    if (!sounds) return;
    const run = runs.at(-1);
    if (run && run[1] === second) run[1]++;
    else runs.push([second, second + 1]);
  });
  return runs;
}

/** Windows start a second apart and end within the run; a run shorter than a window gets one around its middle. */
function placeWindows(first: number, end: number, durationSeconds: number): number[] {
  const count = end - first - WINDOW_SECONDS + 1;
  if (count >= 1) return Array.from({ length: count }, (_, i) => first + i);
  const startSeconds = (first + end - WINDOW_SECONDS) / 2;
  return [Math.max(0, Math.min(startSeconds, durationSeconds - WINDOW_SECONDS))];
}

/** The rest after the last whole second belongs to the last region. */
function joinRegions(seconds: Second[], durationSeconds: number): Content['regions'] {
  const kinds = decodeKinds(seconds);
  const regions: Content['regions'] = [];
  seconds.forEach((second, index) => {
    const kind: ContentKind = second === null ? 'silence' : kinds[index]!;
    const confidence = second === null ? 1 : second[kinds[index]!];
    const region = regions.at(-1);
    if (region?.kind === kind) {
      const lengthSeconds = index - region.startSeconds;
      region.confidence = (region.confidence * lengthSeconds + confidence) / (lengthSeconds + 1);
      region.endSeconds = index + 1;
    } else {
      regions.push({ startSeconds: index, endSeconds: index + 1, kind, confidence });
    }
  });
  const last = regions.at(-1);
  if (last) last.endSeconds = durationSeconds;
  return regions;
}

/** The most likely kind of every second; a silent second is no evidence for any kind. */
function decodeKinds(seconds: Second[]): (typeof KINDS)[number][] {
  const origins: number[][] = [];
  let scores = KINDS.map(() => 0);
  for (const second of seconds) {
    const best = scores.indexOf(Math.max(...scores));
    const from = KINDS.map((_, k) => (scores[k]! >= scores[best]! - CHANGE_COST_LOG_ODDS ? k : best));
    scores = KINDS.map((kind, k) => {
      const arrival = scores[from[k]!]! - (from[k] === k ? 0 : CHANGE_COST_LOG_ODDS);
      return arrival + (second === null ? 0 : Math.log(second[kind] + PROBABILITY_FLOOR));
    });
    origins.push(from);
  }
  let kind = scores.indexOf(Math.max(...scores));
  const path = origins.toReversed().map((from) => {
    const here = kind;
    kind = from[kind]!;
    return KINDS[here]!;
  });
  return path.toReversed();
}
