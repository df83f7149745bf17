/**
 * Which chords, from where to where?
 *
 * The activation is summed over the cells of the beat grid; the most probable sequence of chords is found by the Viterbi algorithm with one
 * price for changing the chord (changes are equally likely in every direction: key-dependent prices changed nothing on the dev corpus once the
 * activation is this sharp). Forward and backward sums over the same model give the probability of each cell's chord, which becomes its
 * confidence.
 *
 * Sheh and Ellis, "Chord Segmentation and Recognition using EM-Trained Hidden Markov Models", ISMIR 2003; beat-synchronous as in
 * Bello and Pickens, "A Robust Mid-level Representation for Harmonic Content in Music Signals", ISMIR 2005.
 *
 * Output: spans that tile the recording, neighbours differ.
 */

import { CHORD_CLASS_COUNT, type ChordActivation, NO_CHORD } from './chord-activation.ts';
import { type ChordCell, framesOfCell } from './chord-grid.ts';

/** Natural log units. Accuracy is flat from 4 to 12. */
const CHANGE_PRICE = 8;
/** What a change off the beat costs on top. */
const OFF_BEAT_PRICE = 4;
/** A silent frame is worth this much for no chord. */
const SILENT_LOG_PROBABILITY = -8;

export type ChordSpan = {
  startSeconds: number;
  endSeconds: number;
  /** 0..24, as in the activation. */
  chord: number;
  /** Mean posterior probability of the chord over its frames, 0..1. */
  probability: number;
};

/** `silent[frame]` is 1 where there is nothing to hear. */
export function decodeChords(
  activation: ChordActivation,
  cells: readonly ChordCell[],
  silent: Uint8Array,
): ChordSpan[] {
  if (cells.length === 0 || activation.frameCount === 0) return [];
  const scores = sumOverCells(activation, cells, silent);
  const prices = Float64Array.from(cells, (cell) => CHANGE_PRICE + (cell.onBeat ? 0 : OFF_BEAT_PRICE));
  const path = findBestPath(scores, prices);
  const posteriors = computePosteriors(scores, prices, path);
  return joinCells(cells, path, posteriors);
}

function sumOverCells(
  activation: ChordActivation,
  cells: readonly ChordCell[],
  silent: Uint8Array,
): Float64Array {
  const scores = new Float64Array(cells.length * CHORD_CLASS_COUNT);
  cells.forEach((cell, index) => {
    const { from, to } = framesOfCell(cell, activation.frameRateHz, activation.frameCount);
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
  return scores;
}

/** Viterbi. One price for all changes makes a step linear in the classes: the best predecessor is oneself or the overall best. */
function findBestPath(scores: Float64Array, prices: Float64Array): Uint8Array {
  const count = prices.length;
  const from = new Uint8Array(count * CHORD_CLASS_COUNT);
  const best = scores.slice(0, CHORD_CLASS_COUNT);
  for (let cell = 1; cell < count; cell++) {
    const leader = indexOfLargest(best);
    const afterChange = best[leader]! - prices[cell]!;
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

/**
 * Probability of the path's chord in every cell given all cells, by scaled forward and backward sums. A change has the odds exp(-price)
 * against staying, shared by the 24 other chords.
 */
function computePosteriors(scores: Float64Array, prices: Float64Array, path: Uint8Array): Float64Array {
  const count = prices.length;
  const likelihoods = exponentiateRows(scores, count);
  const forward = new Float64Array(scores.length);
  const backward = new Float64Array(scores.length).fill(1);
  const step = new Float64Array(CHORD_CLASS_COUNT).fill(1 / CHORD_CLASS_COUNT);
  for (let cell = 0; cell < count; cell++) {
    const row = cell * CHORD_CLASS_COUNT;
    if (cell > 0) spread(forward, row - CHORD_CLASS_COUNT, prices[cell]!, step);
    for (let c = 0; c < CHORD_CLASS_COUNT; c++) forward[row + c] = step[c]! * likelihoods[row + c]!;
    normaliseRow(forward, row);
  }
  for (let cell = count - 2; cell >= 0; cell--) {
    const next = (cell + 1) * CHORD_CLASS_COUNT;
    for (let c = 0; c < CHORD_CLASS_COUNT; c++) backward[next + c]! *= likelihoods[next + c]!;
    spread(backward, next, prices[cell + 1]!, step);
    const row = cell * CHORD_CLASS_COUNT;
    for (let c = 0; c < CHORD_CLASS_COUNT; c++) {
      backward[next + c]! /= likelihoods[next + c]!;
      backward[row + c] = step[c]!;
    }
    normaliseRow(backward, row);
  }
  return Float64Array.from(path, (chord, cell) => {
    const row = cell * CHORD_CLASS_COUNT;
    let total = 0;
    for (let c = 0; c < CHORD_CLASS_COUNT; c++) total += forward[row + c]! * backward[row + c]!;
    return total > 0 ? (forward[row + chord]! * backward[row + chord]!) / total : 0;
  });
}

function spread(values: Float64Array, row: number, price: number, out: Float64Array): void {
  const change = Math.exp(-price);
  let total = 0;
  for (let c = 0; c < CHORD_CLASS_COUNT; c++) total += values[row + c]!;
  for (let c = 0; c < CHORD_CLASS_COUNT; c++) out[c] = values[row + c]! * (1 - change) + total * change;
}

/** exp of every row relative to its largest, kept above zero so that no path is impossible. */
function exponentiateRows(scores: Float64Array, count: number): Float64Array {
  const out = new Float64Array(scores.length);
  for (let cell = 0; cell < count; cell++) {
    const row = cell * CHORD_CLASS_COUNT;
    let largest = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < CHORD_CLASS_COUNT; c++) largest = Math.max(largest, scores[row + c]!);
    for (let c = 0; c < CHORD_CLASS_COUNT; c++) {
      out[row + c] = Math.max(1e-30, Math.exp(scores[row + c]! - largest));
    }
  }
  return out;
}

function normaliseRow(values: Float64Array, row: number): void {
  let total = 0;
  for (let c = 0; c < CHORD_CLASS_COUNT; c++) total += values[row + c]!;
  for (let c = 0; c < CHORD_CLASS_COUNT; c++) values[row + c]! /= total;
}

function joinCells(cells: readonly ChordCell[], path: Uint8Array, posteriors: Float64Array): ChordSpan[] {
  const spans: ChordSpan[] = [];
  let weighted = 0;
  cells.forEach((cell, index) => {
    const seconds = cell.endSeconds - cell.startSeconds;
    const open = spans.at(-1);
    if (open && open.chord === path[index]) {
      weighted += posteriors[index]! * seconds;
      open.endSeconds = cell.endSeconds;
      open.probability = weighted / (open.endSeconds - open.startSeconds);
    } else {
      weighted = posteriors[index]! * seconds;
      spans.push({
        startSeconds: cell.startSeconds,
        endSeconds: cell.endSeconds,
        chord: path[index]!,
        probability: posteriors[index]!,
      });
    }
  });
  return spans;
}

function indexOfLargest(values: Float64Array): number {
  let index = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[index]!) index = i;
  return index;
}
