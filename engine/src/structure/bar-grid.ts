/**
 * Which bars does the piece have? Form is counted in them.
 *
 * They come from the downbeats; without downbeats, from groups of four beats; without beats, from equal pieces of two seconds, so that free music
 * has sections too. What precedes the first downbeat (an upbeat, silence) belongs to the first section but to no bar, and so does what follows
 * the last bar. The rules are our own.
 */

import { medianOf } from '../median.ts';

export type BarGrid = {
  /** Bar i lasts from edge i to edge i + 1; one edge more than bars, ascending. */
  edgesSeconds: number[];
  /** Whether the edges lie on beats of the music. */
  isMetric: boolean;
};

/** Chosen: the usual meter, and four beats of it at 120 BPM. */
const BEATS_PER_BAR_ASSUMED = 4;
const FREE_BAR_SECONDS = 2;
/** A rest after the last downbeat that is shorter than this share of a bar is no bar of its own. Chosen. */
const LAST_BAR_SHARE_MIN = 0.3;

export function createBarGrid(
  beatsSeconds: readonly number[],
  downbeatsSeconds: readonly number[],
  durationSeconds: number,
): BarGrid {
  let starts = downbeatsSeconds.filter((seconds) => seconds < durationSeconds);
  if (starts.length < 2) {
    starts = beatsSeconds.filter(
      (seconds, index) => index % BEATS_PER_BAR_ASSUMED === 0 && seconds < durationSeconds,
    );
  }
  if (starts.length < 2) return { edgesSeconds: cutEvenly(durationSeconds), isMetric: false };
  return { edgesSeconds: closeLastBar(starts, durationSeconds), isMetric: true };
}

function closeLastBar(starts: number[], durationSeconds: number): number[] {
  const typicalSeconds = medianOf(starts.slice(1).map((seconds, index) => seconds - starts[index]!));
  const edges = [...starts];
  const restSeconds = durationSeconds - edges.at(-1)!;
  if (restSeconds < LAST_BAR_SHARE_MIN * typicalSeconds && edges.length > 2) edges.pop();
  // What follows the last bar (a held chord, applause) is no bar; the last section includes it.
  edges.push(Math.min(durationSeconds, edges.at(-1)! + typicalSeconds));
  return edges;
}

function cutEvenly(durationSeconds: number): number[] {
  const count = Math.max(1, Math.floor(durationSeconds / FREE_BAR_SECONDS));
  return Array.from({ length: count + 1 }, (_, index) => (index * durationSeconds) / count);
}
