/** Which patches do the taggers read? Some from each section in proportion to its length, none in silence, speech or noise. */

import type { Content } from '../result.ts';
import { PATCH_SECONDS } from './patch-keeper.ts';

export type Span = { startSeconds: number; endSeconds: number };

/** This and the largest number bound the cost: a short song pays for tags above all (docs/benchmarks.md). */
const SECONDS_PER_PATCH = 36;
const PATCHES_MAX = 7;
/** The constants of name-tags.ts were tuned with three patches a recording. */
const PATCHES_MIN = 3;
/** Less music has no room for that many patches and gets no tags at all. Set by hand. */
const MUSIC_SECONDS_MIN = PATCHES_MIN * PATCH_SECONDS;

/** The indices of the patches chosen from those that start at `startsSeconds`, ascending; none when there is too little music. */
export function choosePatches(
  startsSeconds: readonly number[],
  sections: readonly Span[],
  regions: Content['regions'],
): number[] {
  const music = regions.filter(({ kind }) => kind === 'music');
  const musicSeconds = music.reduce((sum, region) => sum + region.endSeconds - region.startSeconds, 0);
  if (musicSeconds < MUSIC_SECONDS_MIN) return [];
  const usable = [...startsSeconds.keys()].filter((index) => {
    const firstSeconds = startsSeconds[index]!;
    const lastSeconds = firstSeconds + PATCH_SECONDS;
    return music.some(
      ({ startSeconds, endSeconds }) => firstSeconds >= startSeconds && lastSeconds <= endSeconds,
    );
  });
  const count = Math.max(PATCHES_MIN, Math.min(PATCHES_MAX, Math.round(musicSeconds / SECONDS_PER_PATCH)));
  if (usable.length <= count) return usable;

  const within = sections.map((section) =>
    usable.filter((index) => isInside(startsSeconds[index]!, section)),
  );
  const shares = shareOut(
    count,
    within.map((candidates) => candidates.length),
  );
  return within.flatMap((candidates, k) => pickEvenly(candidates, shares[k]!));
}

/** `count` of the candidates, from the middles of as many equal parts, or all of them if there are fewer. */
export function pickEvenly<T>(candidates: readonly T[], count: number): T[] {
  const taken = Math.min(count, candidates.length);
  return Array.from(
    { length: taken },
    (_, k) => candidates[Math.floor(((k + 0.5) * candidates.length) / taken)]!,
  );
}

/** Whether the middle of the patch is in the span. */
export function isInside(patchStartSeconds: number, { startSeconds, endSeconds }: Span): boolean {
  const middleSeconds = patchStartSeconds + PATCH_SECONDS / 2;
  return middleSeconds >= startSeconds && middleSeconds < endSeconds;
}

/** Apportions `count` seats by the method of Sainte-Laguë. */
function shareOut(count: number, weights: readonly number[]): number[] {
  const seats = weights.map(() => 0);
  for (let seat = 0; seat < count; seat++) {
    const quotients = weights.map((weight, k) => weight / (2 * seats[k]! + 1));
    seats[quotients.indexOf(Math.max(...quotients))]!++;
  }
  return seats;
}
