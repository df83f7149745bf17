/**
 * Which segments are repetitions of the same section?
 *
 * The similarity of two segments is the mean over the bars of their best alignment. Average linkage merges segments into groups while the mean
 * similarity of their pairs stays above a threshold. Neighbours of the same group become one section; so do a segment and the neighbour that it merely
 * continues, which means that the two are played alike and at least one of them occurs nowhere else.
 *
 * Average linkage: Sokal and Michener, "A Statistical Method for Evaluating Systematic Relationships", Univ. Kansas Sci. Bull. 38, 1958. The
 * alignment and the rule for continuations are our own; changing any one of their numbers gains .003 at most (docs/algorithms.md).
 *
 * Output: sections in bars, with groups numbered by first appearance. Neighbours are of different groups.
 */

import { type SelfSimilarity, type SimilarityBand, similarityOf } from './self-similarity.ts';

export type BarSection = { startBar: number; endBar: number; group: number };

/** Groups with at least this mean similarity are the same section. */
const SAME_SECTION_MIN = 0.45;
/** The share of the shorter segment an alignment must cover. */
const ALIGNED_SHARE_MIN = 0.75;
const ALIGNED_BARS_MIN = 2;
/** A single bar is compared by texture alone, whose similarities are higher by about this much. */
const TEXTURE_EXCESS = 0.3;

/** Texture similarity across a boundary above which the second segment continues the first. */
const CONTINUATION_MIN = 0.25;
const CONTINUATION_REACH_BARS = 8;
/** A short segment is less likely to be a separate section, and one whose group occurs again is more likely to be. */
const SHORT_BARS = 4;
const SHORT_BONUS = 0.05;
const RECURRING_PENALTY = 0.1;
/** Joining two segments into a section longer than this takes a higher similarity. */
const LONG_BARS = 24;
const LONG_PENALTY = 0.2;

export function groupSegments(bounds: readonly number[], similarity: SelfSimilarity): BarSection[] {
  const segments = linkSegments(bounds, similarity).map(
    (group, index): BarSection => ({ startBar: bounds[index]!, endBar: bounds[index + 1]!, group }),
  );
  return renumber(absorbContinuations(joinEqualNeighbours(segments), similarity.texture));
}

type Link = { sum: number; count: number };

/** The group of each segment. Segments too far apart to have been compared are never linked directly. */
function linkSegments(bounds: readonly number[], similarity: SelfSimilarity): number[] {
  const count = bounds.length - 1;
  const group = Array.from({ length: count }, (_, index) => index);
  const links: Map<number, Link>[] = Array.from({ length: count }, () => new Map());
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      const closestBars = bounds[b]! - bounds[a + 1]! + 1;
      if (closestBars >= similarity.content.lagCount) break;
      const sum = compareSegments(bounds, a, b, similarity);
      if (sum === null) continue;
      links[a]!.set(b, { sum, count: 1 });
      links[b]!.set(a, { sum, count: 1 });
    }
  }
  const best = links.map(findBestLink);
  for (;;) {
    let a: number | null = null;
    for (let i = 0; i < count; i++) {
      if (best[i] && (a === null || best[i]!.mean > best[a]!.mean)) a = i;
    }
    if (a === null || best[a]!.mean < SAME_SECTION_MIN) return group;
    const b = best[a]!.to;
    for (let i = 0; i < count; i++) if (group[i] === b) group[i] = a;
    const touched = mergeLinks(links, a, b);
    best[b] = null;
    for (const i of touched) best[i] = findBestLink(links[i]!);
  }
}

function findBestLink(links: Map<number, Link>): { to: number; mean: number } | null {
  let best: { to: number; mean: number } | null = null;
  for (const [to, link] of links) {
    const mean = link.sum / link.count;
    if (!best || mean > best.mean) best = { to, mean };
  }
  return best;
}

/** Moves the links of group b to group a. Returns the groups whose links changed. */
function mergeLinks(links: Map<number, Link>[], a: number, b: number): number[] {
  links[a]!.delete(b);
  links[b]!.delete(a);
  for (const [to, link] of links[b]!) {
    const known = links[a]!.get(to);
    const joined = known ? { sum: known.sum + link.sum, count: known.count + link.count } : link;
    links[a]!.set(to, joined);
    links[to]!.set(a, joined);
    links[to]!.delete(b);
  }
  links[b]!.clear();
  return [a, ...links[a]!.keys()];
}

/** The mean similarity along the best alignment; null if the segments are too far apart to have been compared. */
function compareSegments(
  bounds: readonly number[],
  a: number,
  b: number,
  { texture, content }: SelfSimilarity,
): number | null {
  const [startA, endA, startB, endB] = [bounds[a]!, bounds[a + 1]!, bounds[b]!, bounds[b + 1]!];
  const shorterBars = Math.min(endA - startA, endB - startB);
  if (shorterBars < ALIGNED_BARS_MIN) {
    const mean = meanBetween(texture, startA, endA, startB, endB);
    return mean === null ? null : mean - TEXTURE_EXCESS;
  }
  const coveredBarsMin = Math.max(ALIGNED_BARS_MIN, ALIGNED_SHARE_MIN * shorterBars);
  let best: number | null = null;
  for (let lag = startB - endA + 1; lag < endB - startA; lag++) {
    const from = Math.max(startA, startB - lag);
    const to = Math.min(endA, endB - lag);
    if (to - from < coveredBarsMin || lag >= content.lagCount) continue;
    let sum = 0;
    for (let i = from; i < to; i++) sum += content.values[i * content.lagCount + lag]!;
    if (best === null || sum / (to - from) > best) best = sum / (to - from);
  }
  return best;
}

function meanBetween(
  band: SimilarityBand,
  fromA: number,
  toA: number,
  fromB: number,
  toB: number,
): number | null {
  let sum = 0;
  for (let i = fromA; i < toA; i++) {
    for (let j = fromB; j < toB; j++) {
      const value = similarityOf(band, i, j);
      if (value === null) return null;
      sum += value;
    }
  }
  return sum / ((toA - fromA) * (toB - fromB));
}

function joinEqualNeighbours(sections: readonly BarSection[]): BarSection[] {
  const joined: BarSection[] = [];
  for (const section of sections) {
    const open = joined.at(-1);
    if (open && open.group === section.group) open.endBar = section.endBar;
    else joined.push({ ...section });
  }
  return joined;
}

function absorbContinuations(sections: readonly BarSection[], texture: SimilarityBand): BarSection[] {
  let current = [...sections];
  for (;;) {
    const occurrences = countGroups(current);
    let best: { at: number; value: number } | null = null;
    for (let at = 0; at + 1 < current.length; at++) {
      const value = rateContinuation(current[at]!, current[at + 1]!, occurrences, texture);
      if (value > CONTINUATION_MIN && (!best || value > best.value)) best = { at, value };
    }
    if (!best) return current;
    const [left, right] = [current[best.at]!, current[best.at + 1]!];
    const group = occurrences.get(right.group)! > occurrences.get(left.group)! ? right.group : left.group;
    current.splice(best.at, 2, { startBar: left.startBar, endBar: right.endBar, group });
    current = joinEqualNeighbours(current);
  }
}

/** How much the second of two neighbours seems to continue the first: the similarity of texture across their boundary, with bonus and penalties. */
function rateContinuation(
  left: BarSection,
  right: BarSection,
  occurrences: ReadonlyMap<number, number>,
  texture: SimilarityBand,
): number {
  const leftRecurs = occurrences.get(left.group)! > 1;
  const rightRecurs = occurrences.get(right.group)! > 1;
  if (leftRecurs && rightRecurs) return Number.NEGATIVE_INFINITY;
  const across = meanBetween(
    texture,
    Math.max(left.startBar, left.endBar - CONTINUATION_REACH_BARS),
    left.endBar,
    right.startBar,
    Math.min(right.endBar, right.startBar + CONTINUATION_REACH_BARS),
  );
  const shorterBars = Math.min(left.endBar - left.startBar, right.endBar - right.startBar);
  return (
    (across ?? 0) +
    (shorterBars <= SHORT_BARS ? SHORT_BONUS : 0) -
    (leftRecurs || rightRecurs ? RECURRING_PENALTY : 0) -
    (right.endBar - left.startBar > LONG_BARS ? LONG_PENALTY : 0)
  );
}

function countGroups(sections: readonly BarSection[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { group } of sections) counts.set(group, (counts.get(group) ?? 0) + 1);
  return counts;
}

function renumber(sections: readonly BarSection[]): BarSection[] {
  const numbers = new Map<number, number>();
  return sections.map((section) => {
    if (!numbers.has(section.group)) numbers.set(section.group, numbers.size);
    return { ...section, group: numbers.get(section.group)! };
  });
}
