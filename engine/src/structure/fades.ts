/**
 * Does the piece fade in or out, and where does the fade end or begin?
 *
 * A fade-out is a last stretch over which the loudness falls, nearly without rising again, from the level of the music to far below it. It
 * begins where the loudness last stood at the level it had before. A fade-in is the same backwards. Silence before and after the sound is
 * not part of a fade.
 *
 * The rules are ours, their limits set by ear. Input: a loudness curve of short windows in LUFS, null where there is silence.
 */

import type { Curve } from '../result.ts';

/** A fade takes at least this long; an ending chord that rings out is shorter. */
const FADE_SECONDS_MIN = 3;
/** And loses at least this much. */
const FADE_DEPTH_LU_MIN = 15;
/** Rises of less than this are the music's own, not the end of the fade. */
const RIPPLE_LU = 3;
/** The level of the music: the loudness exceeded a quarter of the time. */
const LEVEL_QUANTILE = 0.75;
/** A fade starts from no less than this below that level. */
const BELOW_LEVEL_LU_MAX = 8;
/** As the absolute gate of ITU-R BS.1770: quieter is no programme. */
const SILENCE_LUFS = -70;

export type Fades = { fadeInEndSeconds: number | null; fadeOutStartSeconds: number | null };

export function findFades(curve: Curve): Fades {
  const levelsLufs = curve.values.map((value) =>
    value === null || value < SILENCE_LUFS ? SILENCE_LUFS : value,
  );
  const out = findFallStart(levelsLufs, curve.hopSeconds);
  const into = findFallStart([...levelsLufs].reverse(), curve.hopSeconds);
  const at = (index: number): number => curve.startSeconds + index * curve.hopSeconds;
  return {
    fadeInEndSeconds: into === null ? null : at(levelsLufs.length - 1 - into),
    fadeOutStartSeconds: out === null ? null : at(out),
  };
}

/** Index at which the fall to the end begins, or null. */
function findFallStart(levelsLufs: readonly number[], hopSeconds: number): number | null {
  let end = levelsLufs.length - 1;
  while (end > 0 && levelsLufs[end]! <= SILENCE_LUFS) end--;
  if (end <= 0) return null;
  let start = end;
  let highestLufs = levelsLufs[end]!;
  for (let index = end; index >= 0; index--) {
    if (levelsLufs[index]! < highestLufs - RIPPLE_LU) break;
    if (levelsLufs[index]! >= highestLufs) {
      highestLufs = levelsLufs[index]!;
      start = index;
    }
  }
  const sounding = levelsLufs.filter((level) => level > SILENCE_LUFS).sort((a, b) => a - b);
  const musicLufs = sounding[Math.floor(LEVEL_QUANTILE * (sounding.length - 1))]!;
  const first = findStartOfFall(levelsLufs, start, end, highestLufs);
  const isLong = (end - first) * hopSeconds >= FADE_SECONDS_MIN;
  const isDeep = levelsLufs[first]! - levelsLufs[end]! >= FADE_DEPTH_LU_MIN;
  return isLong && isDeep && levelsLufs[first]! >= musicLufs - BELOW_LEVEL_LU_MAX ? first : null;
}

/** The maximum may lie far back in steady music: the fall begins where the loudness was last within the ripple of it. */
function findStartOfFall(
  levelsLufs: readonly number[],
  start: number,
  end: number,
  highestLufs: number,
): number {
  let first = start;
  for (let index = start; index <= end; index++)
    if (levelsLufs[index]! >= highestLufs - RIPPLE_LU) first = index;
  return first;
}
