/**
 * Which chords does the music have, and when does each start and end?
 *
 * The activation is summed over the cells of the chord grid, and the Viterbi algorithm finds the most probable sequence of chords. The cost of a chord
 * change depends on its metrical position, not on the two chords: costs that depend on the key made no difference on the dev corpus. A chord's margin
 * over the next best one becomes its confidence (chord-list.ts).
 *
 * Sheh and Ellis, "Chord Segmentation and Recognition using EM-Trained Hidden Markov Models", ISMIR 2003; beat-synchronous as in
 * Bello and Pickens, "A Robust Mid-level Representation for Harmonic Content in Music Signals", ISMIR 2005.
 *
 * Output: spans that tile the recording; neighbours have different chords.
 */

import { CHORD_CLASS_COUNT, type ChordActivation, NO_CHORD } from './chord-activation.ts';
import { type ChordCell, framesOfCell, type MetricalPosition } from './chord-grid.ts';

/** Chords change at bar lines more often than at other beats. Accuracy on the dev corpus is flat from half to twice these costs. */
const CHANGE_COST_LOG_ODDS: Readonly<Record<MetricalPosition, number>> = {
  downbeat: 6,
  beat: 12,
  between: 16,
};
/** Of every chord in a silent frame, where no chord has 0. Set by hand: two silent frames offset the largest cost of a change. */
const SILENT_LOG_PROBABILITY = -8;

export type ChordSpan = {
  startSeconds: number;
  endSeconds: number;
  /** 0..24, as in the activation. */
  chord: number;
  /** The margin over the best other chord, as a mean over the frames of the span; may be negative. */
  leadLogOdds: number;
};

/** `silent` is 1 for silent frames. */
export function decodeChords(
  activation: ChordActivation,
  cells: readonly ChordCell[],
  silent: Uint8Array,
): ChordSpan[] {
  if (activation.frameCount === 0) return [];
  const { scores, frameCounts } = sumOverCells(activation, cells, silent);
  const costs = Float64Array.from(cells, ({ position }) => CHANGE_COST_LOG_ODDS[position]);
  const path = findBestPath(scores, costs);
  return joinCells(cells, path, scores, frameCounts);
}

function sumOverCells(
  activation: ChordActivation,
  cells: readonly ChordCell[],
  silent: Uint8Array,
): { scores: Float64Array; frameCounts: Int32Array } {
  const scores = new Float64Array(cells.length * CHORD_CLASS_COUNT);
  const frameCounts = new Int32Array(cells.length);
  cells.forEach((cell, index) => {
    const { from, to } = framesOfCell(cell, activation.frameRateHz, activation.frameCount);
    frameCounts[index] = to - from;
    for (let frame = from; frame < to; frame++) {
      for (let c = 0; c < CHORD_CLASS_COUNT; c++) {
        scores[index * CHORD_CLASS_COUNT + c]! += silent[frame]
          ? c === NO_CHORD
            ? 0
            : SILENT_LOG_PROBABILITY
          : activation.logProbabilities[frame * CHORD_CLASS_COUNT + c]!;
      }
    }
  });
  return { scores, frameCounts };
}

/** Viterbi. Since all changes into a cell cost the same, a chord's best predecessor is either itself or the overall best: a step is linear in the chords. */
function findBestPath(scores: Float64Array, costs: Float64Array): Uint8Array {
  const count = costs.length;
  const from = new Uint8Array(count * CHORD_CLASS_COUNT);
  const best = scores.slice(0, CHORD_CLASS_COUNT);
  for (let cell = 1; cell < count; cell++) {
    const leader = indexOfLargest(best);
    const afterChange = best[leader]! - costs[cell]!;
    for (let c = 0; c < CHORD_CLASS_COUNT; c++) {
      const stays = best[c]! >= afterChange;
      from[cell * CHORD_CLASS_COUNT + c] = stays ? c : leader;
      best[c] = (stays ? best[c]! : afterChange) + scores[cell * CHORD_CLASS_COUNT + c]!;
    }
  }
  const path = new Uint8Array(count);
  path[count - 1] = indexOfLargest(best);
  for (let cell = count - 1; cell > 0; cell--) path[cell - 1] = from[cell * CHORD_CLASS_COUNT + path[cell]!]!;
  return path;
}

function joinCells(
  cells: readonly ChordCell[],
  path: Uint8Array,
  scores: Float64Array,
  frameCounts: Int32Array,
): ChordSpan[] {
  const spans: ChordSpan[] = [];
  for (let first = 0; first < cells.length; ) {
    let end = first + 1;
    while (end < cells.length && path[end] === path[first]) end++;
    spans.push({
      startSeconds: cells[first]!.startSeconds,
      endSeconds: cells[end - 1]!.endSeconds,
      chord: path[first]!,
      leadLogOdds: measureLead(scores, frameCounts, first, end, path[first]!),
    });
    first = end;
  }
  return spans;
}

/** The chord's margin over the best other one in cells `first` up to, not including, `end`, in log-odds per frame. */
function measureLead(
  scores: Float64Array,
  frameCounts: Int32Array,
  first: number,
  end: number,
  chord: number,
): number {
  const totals = new Float64Array(CHORD_CLASS_COUNT);
  let frameCount = 0;
  for (let cell = first; cell < end; cell++) {
    frameCount += frameCounts[cell]!;
    for (let c = 0; c < CHORD_CLASS_COUNT; c++) totals[c]! += scores[cell * CHORD_CLASS_COUNT + c]!;
  }
  const own = totals[chord]!;
  totals[chord] = Number.NEGATIVE_INFINITY;
  return (own - totals[indexOfLargest(totals)]!) / frameCount;
}

function indexOfLargest(values: Float64Array): number {
  let index = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[index]!) index = i;
  return index;
}
