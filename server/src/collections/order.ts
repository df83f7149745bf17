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
 * An order for a set. By energy and tempo it is a sort; harmonically it is a walk that keeps every step small: the nearest
 * neighbour from the song of least energy, then stretches turned round for as long as that makes the walk better (2-opt: Croes, "A
 * method for solving traveling-salesman problems", Operations Research 6, 1958).
 */

export type OrderBy = 'harmonic' | 'energy' | 'bpm';
export type OrderedSong<S extends MixSong> = { song: S; mix: Mix | null; reason: string };

export async function proposeOrder<S extends MixSong>(
  songs: readonly S[],
  by: OrderBy,
): Promise<OrderedSong<S>[]> {
  const ordered = by === 'harmonic' ? await walkHarmonically(songs) : sortBy(songs, by);
  return ordered.map((song, index) => {
    const before = ordered[index - 1];
    if (!before) return { song, mix: null, reason: OPENINGS[by] };
    const mix = mixOf(before, song);
    return { song, mix, reason: explainMix(before, song, mix) };
  });
}

const OPENINGS: Record<OrderBy, string> = {
  harmonic: 'the least energy: a place to begin',
  energy: 'the least energy comes first',
  bpm: 'the slowest comes first',
};

function sortBy<S extends MixSong>(songs: readonly S[], by: 'energy' | 'bpm'): S[] {
  const sortedBy = (song: S) => song[by] ?? Number.POSITIVE_INFINITY;
  // Two without a value differ by NaN, and stay as they are.
  return songs.toSorted((a, b) => sortedBy(a) - sortedBy(b) || 0);
}

/** Chosen: all other requests wait for so long at most, at a time. */
const WORK_MS_MAX = 20;

/** To be awaited within long work: lets others go on when it has lasted long enough. */
function createPauses(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < WORK_MS_MAX) return;
    await setImmediate();
    sinceMs = performance.now();
  };
}

/** Beyond this many songs the turning would take seconds; the nearest neighbour alone is then the proposal. */
const TURNED_MAX = 300;

async function walkHarmonically<S extends MixSong>(songs: readonly S[]): Promise<S[]> {
  const pause = createPauses();
  const sorted = sortBy(songs, 'energy');
  const scoreOf = createPairScore(sorted);
  const left = sorted.map((_, place) => place);
  const places = left.splice(0, 1);
  while (left.length > 0) {
    const best = findNext(scoreOf, places.at(-1)!, left);
    places.push(...left.splice(best, 1));
    await pause();
  }
  const walk = places.map((place) => sorted[place]!);
  return walk.length > TURNED_MAX ? walk : turnStretches(walk, pause);
}

/** Where the song that fits best stands among those that are left; of several the first. */
function findNext(scoreOf: PairScore, last: number, left: readonly number[]): number {
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < left.length; index++) {
    const score = scoreOf(last, left[index]!, bestScore);
    if (score <= bestScore) continue;
    best = index;
    bestScore = score;
  }
  return best;
}

/** Chosen, as an end to it: a round that makes nothing better is the last anyway. */
const ROUNDS_MAX = 20;
/** PairScore have four decimals: what is less comes from adding them. */
const GAIN_MIN = 1e-9;

async function turnStretches<S extends MixSong>(walk: S[], pause: () => Promise<void>): Promise<S[]> {
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
        if (gainOfTurn(scores, order, from, to) <= GAIN_MIN) continue;
        const turned = [
          ...order.slice(0, from),
          ...order.slice(from, to + 1).reverse(),
          ...order.slice(to + 1),
        ];
        const score = total(turned);
        if (score <= best + GAIN_MIN) continue;
        [order, best, improved] = [turned, score, true];
      }
      await pause();
    }
  }
  return order.map((index) => walk[index]!);
}

/** At both ends of the stretch; inside of it steps may differ by direction, which `total` then counts. */
function gainOfTurn(scores: number[][], order: readonly number[], from: number, to: number): number {
  const [before, first, last, after] = [order[from - 1]!, order[from]!, order[to]!, order[to + 1]];
  const cut = scores[before]![first]! + (after === undefined ? 0 : scores[last]![after]!);
  const joined = scores[before]![last]! + (after === undefined ? 0 : scores[first]![after]!);
  return joined - cut;
}
