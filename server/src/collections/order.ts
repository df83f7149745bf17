import { setImmediate } from 'node:timers/promises';
import {
  createPairScore,
  explainMix,
  type Mix,
  type MixSong,
  mixOf,
  type PairScore,
} from '../library/mixing.ts';

/**
 * In which order should the songs of a set be played? By energy or tempo this is a sort. The harmonic order makes each transition as
 * smooth as possible: it starts with the song of least energy, always continues with the best match (nearest neighbour), and then
 * reverses segments as long as that raises the total score (2-opt: Croes, "A method for solving traveling-salesman problems",
 * Operations Research 6, 1958).
 */

export type OrderBy = 'harmonic' | 'energy' | 'bpm';
export type OrderedSong<S extends MixSong> = { song: S; mix: Mix | null; reason: string };

export async function proposeOrder<S extends MixSong>(
  songs: readonly S[],
  by: OrderBy,
): Promise<OrderedSong<S>[]> {
  const ordered = by === 'harmonic' ? await orderHarmonically(songs) : sortBy(songs, by);
  return ordered.map((song, index) => {
    const before = ordered[index - 1];
    if (!before) return { song, mix: null, reason: openingOf(song, by) };
    const mix = mixOf(before, song);
    return { song, mix, reason: explainMix(before, song, mix) };
  });
}

/** Why the song comes first. Songs without a value are sorted to the end, so if the first has none, none has. */
function openingOf(first: MixSong, by: OrderBy): string {
  if (by === 'bpm') return first.bpm === null ? 'the tempo of no song is known' : 'the slowest comes first';
  if (first.energy === null) return 'the energy of no song is known';
  return by === 'energy' ? 'the least energy comes first' : 'the least energy: a place to begin';
}

function sortBy<S extends MixSong>(songs: readonly S[], by: 'energy' | 'bpm'): S[] {
  const sortedBy = (song: S) => song[by] ?? Number.POSITIVE_INFINITY;
  // Infinity minus infinity is NaN, which counts as equal: two songs without a value keep their order.
  return songs.toSorted((a, b) => sortedBy(a) - sortedBy(b));
}

/** The longest that ordering blocks the event loop, and with it all other requests. */
const WORK_MS_MAX = 20;

/** The returned function, awaited regularly during long work, yields to the event loop when WORK_MS_MAX have passed. */
function createPause(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < WORK_MS_MAX) return;
    await setImmediate();
    sinceMs = performance.now();
  };
}

/** For more songs 2-opt would take seconds; they stay in nearest-neighbour order. */
const OPTIMIZED_SONGS_MAX = 300;

async function orderHarmonically<S extends MixSong>(songs: readonly S[]): Promise<S[]> {
  const pause = createPause();
  const sorted = sortBy(songs, 'energy');
  const scoreOf = createPairScore(sorted);
  const remaining = sorted.map((_, index) => index);
  const order = remaining.splice(0, 1);
  while (remaining.length > 0) {
    const best = findBestNext(scoreOf, order.at(-1)!, remaining);
    order.push(...remaining.splice(best, 1));
    await pause();
  }
  const walk = order.map((index) => sorted[index]!);
  return walk.length > OPTIMIZED_SONGS_MAX ? walk : reverseSegments(walk, pause);
}

/** The index in `remaining` of the song that best follows `last`; the first of several equal ones. */
function findBestNext(scoreOf: PairScore, last: number, remaining: readonly number[]): number {
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < remaining.length; index++) {
    const score = scoreOf(last, remaining[index]!, bestScore);
    if (score <= bestScore) continue;
    best = index;
    bestScore = score;
  }
  return best;
}

/** Bounds the work; usually a round without improvement comes earlier. */
const ROUNDS_MAX = 20;
/** Scores have four decimals: a smaller gain is rounding error of their sum. */
const GAIN_MIN = 1e-9;

/** 2-opt: reverses the segment from `from` to `to` wherever that raises the total. The first song stays. */
async function reverseSegments<S extends MixSong>(walk: S[], pause: () => Promise<void>): Promise<S[]> {
  const count = walk.length;
  const scoreOf = createPairScore(walk);
  let order = walk.map((_, index) => index);
  const scores: number[][] = [];
  for (const from of order) {
    scores.push(order.map((to) => scoreOf(from, to)));
    await pause();
  }
  const total = (indices: readonly number[]) => {
    let sum = 0;
    for (let at = 1; at < indices.length; at++) sum += scores[indices[at - 1]!]![indices[at]!]!;
    return sum;
  };
  let best = total(order);
  for (let improved = true, rounds = 0; improved && rounds < ROUNDS_MAX; rounds++) {
    improved = false;
    for (let from = 1; from < count - 1; from++) {
      for (let to = from + 1; to < count; to++) {
        if (gainAtEnds(scores, order, from, to) <= GAIN_MIN) continue;
        const reversed = [
          ...order.slice(0, from),
          ...order.slice(from, to + 1).reverse(),
          ...order.slice(to + 1),
        ];
        const score = total(reversed);
        if (score <= best + GAIN_MIN) continue;
        [order, best, improved] = [reversed, score, true];
      }
      await pause();
    }
  }
  return order.map((index) => walk[index]!);
}

/** The gain at the two ends of the segment. Transitions inside it are reversed too and may score differently; `total` includes them. */
function gainAtEnds(scores: number[][], order: readonly number[], from: number, to: number): number {
  const [before, first, last, after] = [order[from - 1]!, order[from]!, order[to]!, order[to + 1]];
  const cut = scores[before]![first]! + (after === undefined ? 0 : scores[last]![after]!);
  const joined = scores[before]![last]! + (after === undefined ? 0 : scores[first]![after]!);
  return joined - cut;
}
