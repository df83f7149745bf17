/**
 * Where are the bars, in which form is counted?
 *
 * Downbeats start them; without downbeats, every fourth beat; without beats, the piece is cut into equal slices of about two seconds, so that free
 * music has sections too. What precedes the first downbeat (an upbeat, silence) is in no bar but in the first section; what follows the last bar is
 * likewise in the last section. The rules are our own.
 */

import { medianOf } from '../median.ts';

export type BarGrid = {
  /** Bar i lasts from edge i to edge i + 1; one edge more than bars, ascending. */
  edgesSeconds: number[];
  /** Whether the edges lie on beats of the music. */
  hasMeter: boolean;
};

/** The most common meter. */
const BEATS_PER_BAR_ASSUMED = 4;
/** Four beats at 120 BPM. */
const FREE_BAR_SECONDS = 2;
/** A last downbeat closer to the end than this share of a bar starts no bar: the piece ends on it. Set by hand. */
const LAST_BAR_SHARE_MIN = 0.3;

export function createBarGrid(
  beatsSeconds: readonly number[],
  downbeatsSeconds: readonly number[],
  durationSeconds: number,
): BarGrid {
  let startsSeconds = downbeatsSeconds.filter((seconds) => seconds < durationSeconds);
  if (startsSeconds.length < 2) {
    startsSeconds = beatsSeconds.filter(
      (seconds, index) => index % BEATS_PER_BAR_ASSUMED === 0 && seconds < durationSeconds,
    );
  }
  if (startsSeconds.length < 2) return { edgesSeconds: cutEvenly(durationSeconds), hasMeter: false };
  return { edgesSeconds: closeLastBar(startsSeconds, durationSeconds), hasMeter: true };
}

function closeLastBar(startsSeconds: number[], durationSeconds: number): number[] {
  const typicalSeconds = medianOf(
    startsSeconds.slice(1).map((seconds, index) => seconds - startsSeconds[index]!),
  );
  const edgesSeconds = [...startsSeconds];
  const restSeconds = durationSeconds - edgesSeconds.at(-1)!;
  if (restSeconds < LAST_BAR_SHARE_MIN * typicalSeconds) edgesSeconds.pop();
  // A long tail (a held chord, applause) does not lengthen the last bar.
  edgesSeconds.push(Math.min(durationSeconds, edgesSeconds.at(-1)! + typicalSeconds));
  return edgesSeconds;
}

function cutEvenly(durationSeconds: number): number[] {
  const count = Math.max(1, Math.floor(durationSeconds / FREE_BAR_SECONDS));
  return Array.from({ length: count + 1 }, (_, index) => (index * durationSeconds) / count);
}
