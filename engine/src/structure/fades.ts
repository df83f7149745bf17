/**
 * Does the piece fade in or out, and where does the fade end or begin?
 *
 * A fade-out is a stretch at the end over which the loudness falls, nearly without rising again, from the level of the music to far below it. It
 * begins where the loudness was last near its maximum. A fade-in is the same backwards. Silence before and after the sound is not part of a
 * fade. The rules are our own, and their limits set by ear.
 */

import type { Curve } from '../result.ts';

/** A fade lasts at least this long; a last chord that rings out is shorter. */
const FADE_SECONDS_MIN = 3;
/** A fade loses at least this much. */
const FADE_DEPTH_LU_MIN = 15;
/** Rises up to this do not interrupt a fade: the music itself goes up and down. */
const RIPPLE_LU = 3;
/** The level of the music: the loudness exceeded a quarter of the time. */
const LEVEL_QUANTILE = 0.75;
/** A fade begins no further than this below that level. */
const BELOW_LEVEL_LU_MAX = 8;
/** The absolute gate of ITU-R BS.1770; silence of the curve, null, counts as this. */
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

/** The index at which the fall to the end begins; null when it is no fade. */
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
  const first = findLastNear(highestLufs, levelsLufs, start, end);
  const isLong = (end - first) * hopSeconds >= FADE_SECONDS_MIN;
  const isDeep = levelsLufs[first]! - levelsLufs[end]! >= FADE_DEPTH_LU_MIN;
  return isLong && isDeep && levelsLufs[first]! >= musicLufs - BELOW_LEVEL_LU_MAX ? first : null;
}

/** The last index within the ripple of the maximum, which may lie far back in steady music. */
function findLastNear(
  highestLufs: number,
  levelsLufs: readonly number[],
  start: number,
  end: number,
): number {
  let last = start;
  for (let index = start; index <= end; index++)
    if (levelsLufs[index]! >= highestLufs - RIPPLE_LU) last = index;
  return last;
}
