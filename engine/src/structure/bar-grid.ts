/**
 * Which bars does the piece have, the unit in which form is thought of?
 *
 * From the downbeats; from groups of four beats when there are beats but no downbeats; from equal pieces of two seconds when there is no
 * pulse, so that free music has sections too. Bars tile the stretch from the first downbeat to the end; what precedes the first downbeat (an
 * upbeat, silence) belongs to the first section but to no bar. The rules are ours.
 */

import { medianOf } from '../median.ts';

export type BarGrid = {
  /** Bar i lasts from edge i to edge i + 1; one edge more than bars, ascending. */
  edgesSeconds: number[];
  /** Whether the edges lie on beats of the music. */
  isMetric: boolean;
};

/** The usual meter; and four beats at 120 BPM. */
const BEATS_PER_BAR_ASSUMED = 4;
const FREE_BAR_SECONDS = 2;
/** A last piece shorter than this share of a bar is joined to the bar before it. A choice. */
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
  // The tail after the last bar (a held chord, applause) is no bar; the last section reaches over it.
  edges.push(Math.min(durationSeconds, edges.at(-1)! + typicalSeconds));
  return edges;
}

function cutEvenly(durationSeconds: number): number[] {
  const count = Math.max(1, Math.floor(durationSeconds / FREE_BAR_SECONDS));
  return Array.from({ length: count + 1 }, (_, index) => (index * durationSeconds) / count);
}
