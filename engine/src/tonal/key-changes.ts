/**
 * Does the key change, and where?
 *
 * Every block gets the evidence of a window around it, and the Viterbi algorithm finds the best path of keys, at a cost for every change. Since the
 * window blurs changes, each is then moved to the block that maximises the evidence for the old key before it and for the new key after it.
 *
 * Key tracking with a change penalty: Temperley, "The Cognition of Basic Musical Structures", MIT Press 2001, chapter 7.
 * Deviation: a change to the relative or the parallel key costs twice as much, since it is usually just a phrase around the other triad.
 */

import type { KeySpan } from '../result.ts';
import { confidenceOfKey } from './key.ts';
import { KEY_BLOCK_SECONDS, type KeyBlocks, weighKeys } from './key-evidence.ts';
import { KEY_COUNT, pitchNameOf, scaleOf, tonicOf } from './key-name.ts';

/** The length of the excerpts on which the network was trained to find keys. */
const WINDOW_SECONDS = 30;
/** Half the window, in blocks. */
const REACH_BLOCKS = Math.round(WINDOW_SECONDS / KEY_BLOCK_SECONDS / 2);
/** The evidence that a change must gain, summed over the blocks of the new key. Set by hand; docs/algorithms.md has the accuracy. */
const CHANGE_COST_LOG_ODDS = 60;
const CLOSE_KEY_COST_LOG_ODDS = 120;
/** Limits the evidence of one block against a key, so that an odd phrase cannot pay for a change; more than ten such blocks can. */
const EVIDENCE_LOG_ODDS_MIN = -6;
/** A shorter span is a passing modulation within a section. Set by hand. */
const SPAN_SECONDS_MIN = 15;

export type KeySpanOptions = {
  durationSeconds: number;
  /** A change snaps to the nearest bar line less than a block away, because keys change at bar lines. */
  barLinesSeconds: readonly number[];
  /** Whether `homeKey` is a hint, in which case its relative and parallel keys count as the home key. */
  isHomeGiven: boolean;
};

/** A key in blocks `from` up to, not including, `to`. */
type BlockSpan = { key: number; from: number; to: number };

/** Spans that tile the piece. If the key does not change, there is a single span in `homeKey`, the key of the whole piece. */
export function findKeySpans(
  blocks: KeyBlocks,
  homeKey: number,
  { durationSeconds, barLinesSeconds, isHomeGiven }: KeySpanOptions,
): KeySpan[] {
  const path = findKeyPath(blocks, homeKey);
  const isConstant = path.every((key) => key === path[0]);
  const spans: BlockSpan[] = [];
  for (let block = 0; block < blocks.blockCount; block++) {
    const found = path[block]!;
    const key = isConstant || (isHomeGiven && isCloseKey(homeKey, found)) ? homeKey : found;
    const open = spans.at(-1);
    if (open && open.key === key) open.to = block + 1;
    else spans.push({ key, from: block, to: block + 1 });
  }
  const long = dropShortSpans(spans);
  placeBoundaries(blocks, long);
  const kept = dropShortSpans(long);
  const blockSeconds = blocks.blockFrames / blocks.frameRateHz;
  const timeOf = (block: number): number => snapToBarLine(block * blockSeconds, barLinesSeconds);
  return kept.map(({ key, from, to }, index) => ({
    startSeconds: index === 0 ? 0 : timeOf(from),
    endSeconds: index === kept.length - 1 ? durationSeconds : timeOf(to),
    key: pitchNameOf(tonicOf(key)),
    scale: scaleOf(key),
    confidence: confidenceOfKey(key, weighKeys(blocks, from, to), blocks, from, to),
  }));
}

function findKeyPath(blocks: KeyBlocks, homeKey: number): Uint8Array {
  const { blockCount } = blocks;
  const path = new Uint8Array(blockCount).fill(homeKey);
  if (blockCount < 2 * REACH_BLOCKS) return path;
  const from = new Uint8Array(blockCount * KEY_COUNT);
  let best: Float64Array = new Float64Array(KEY_COUNT);
  for (let block = 0; block < blockCount; block++) {
    const predecessors = from.subarray(block * KEY_COUNT, (block + 1) * KEY_COUNT);
    best = takeStep(best, weighWindow(blocks, block), predecessors);
  }
  let key = best.reduce((leader, value, candidate) => (value > best[leader]! ? candidate : leader), homeKey);
  for (let block = blockCount - 1; block >= 0; block--) {
    path[block] = key;
    key = from[block * KEY_COUNT + key]!;
  }
  return path;
}

/** One Viterbi step: the best score of a path that ends in each key at the next block. Writes the previous key of each such path to `predecessors`. */
function takeStep(best: Float64Array, evidence: Float64Array, predecessors: Uint8Array): Float64Array {
  const next = new Float64Array(KEY_COUNT);
  for (let key = 0; key < KEY_COUNT; key++) {
    let predecessor = key;
    let value = best[key]!;
    for (let other = 0; other < KEY_COUNT; other++) {
      const changed = best[other]! - COSTS[other * KEY_COUNT + key]!;
      if (changed > value) {
        value = changed;
        predecessor = other;
      }
    }
    next[key] = value + evidence[key]!;
    predecessors[key] = predecessor;
  }
  return next;
}

/** The evidence of the window around a block, relative to the best key. At the ends of the piece the window is shifted inwards, not shortened. */
function weighWindow(blocks: KeyBlocks, block: number): Float64Array {
  const from = Math.max(0, Math.min(block - REACH_BLOCKS, blocks.blockCount - 2 * REACH_BLOCKS));
  const evidence = weighKeys(blocks, from, from + 2 * REACH_BLOCKS);
  const largest = Math.max(...evidence);
  return evidence.map((value) => Math.max(EVIDENCE_LOG_ODDS_MIN, value - largest));
}

/** The cost of a change between two keys at [from * KEY_COUNT + to]. */
const COSTS = Float64Array.from({ length: KEY_COUNT * KEY_COUNT }, (_, index) => {
  const to = index % KEY_COUNT;
  const from = (index - to) / KEY_COUNT;
  if (from === to) return 0;
  return isCloseKey(from, to) ? CLOSE_KEY_COST_LOG_ODDS : CHANGE_COST_LOG_ODDS;
});

/** Whether two keys are relative or parallel: the same notes, or the same tonic. */
function isCloseKey(from: number, to: number): boolean {
  if (scaleOf(from) === scaleOf(to)) return false;
  const intervalSemitones = (tonicOf(to) - tonicOf(from) + 12) % 12;
  return intervalSemitones === 0 || intervalSemitones === (scaleOf(from) === 'major' ? 9 : 3);
}

/** Merges a span with the one before it if the key is the same or the span is too short. A short first one stays. */
function dropShortSpans(spans: readonly BlockSpan[]): BlockSpan[] {
  const kept: BlockSpan[] = [];
  for (const span of spans) {
    const open = kept.at(-1);
    const isTooShort = (span.to - span.from) * KEY_BLOCK_SECONDS < SPAN_SECONDS_MIN;
    if (open && (isTooShort || open.key === span.key)) open.to = span.to;
    else kept.push(span);
  }
  return kept;
}

/** Moves each boundary to the block that best separates the two keys. */
function placeBoundaries(blocks: KeyBlocks, spans: readonly BlockSpan[]): void {
  for (let i = 1; i < spans.length; i++) {
    const before = spans[i - 1]!;
    const after = spans[i]!;
    let best = { block: after.from, value: Number.NEGATIVE_INFINITY };
    const first = Math.max(before.from + 1, after.from - REACH_BLOCKS);
    const last = Math.min(after.to - 1, after.from + REACH_BLOCKS);
    for (let block = first; block <= last; block++) {
      const left = weighKeys(blocks, Math.max(before.from, block - REACH_BLOCKS), block);
      const right = weighKeys(blocks, block, Math.min(after.to, block + REACH_BLOCKS));
      const value = left[before.key]! - left[after.key]! + right[after.key]! - right[before.key]!;
      if (value > best.value) best = { block, value };
    }
    before.to = best.block;
    after.from = best.block;
  }
}

/** The nearest bar line less than a block away, otherwise the time itself. */
function snapToBarLine(seconds: number, barLinesSeconds: readonly number[]): number {
  let nearestSeconds = seconds;
  let distanceSeconds = KEY_BLOCK_SECONDS;
  for (const barLineSeconds of barLinesSeconds) {
    if (Math.abs(barLineSeconds - seconds) < distanceSeconds) {
      nearestSeconds = barLineSeconds;
      distanceSeconds = Math.abs(barLineSeconds - seconds);
    }
  }
  return nearestSeconds;
}
