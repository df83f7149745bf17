/**
 * Does the piece fade in or out, and where does the fade-in end or the fade-out start?
 *
 * In a fade-out the short-term loudness falls gradually, with hardly a rise, from the level of the music to far below it at the end. It starts where
 * the loudness was last near its maximum. A fade-in is the same in reverse. Silence before and after the sound is not part of a fade. The rules
 * are our own, and their limits were set by ear unless they say otherwise.
 */

import type { Curve } from '../result.ts';

/** A final chord rings out faster. */
const FADE_SECONDS_MIN = 3;
const FADE_DEPTH_LU_MIN = 15;
/** The time a fade takes to lose FADE_DEPTH_LU_MIN. A cut to a lower level takes 1.5 s, half of the window of short-term loudness. */
const FALL_SECONDS_MIN = 2;
/** Rises up to this do not interrupt a fade, because the music itself varies. */
const RIPPLE_LU = 3;
/** The level of the music is the loudness it exceeds a quarter of the time. */
const LEVEL_QUANTILE = 0.75;
/** A fade starts no further than this below that level. */
const BELOW_LEVEL_LU_MAX = 8;
/** The absolute gate of ITU-R BS.1770; null in the curve, which is silence, counts as this. */
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

/** The index at which the fall towards the end starts; null if the fall is not a fade. */
function findFallStart(levelsLufs: readonly number[], hopSeconds: number): number | null {
  let end = levelsLufs.length - 1;
  while (end > 0 && levelsLufs[end]! <= SILENCE_LUFS) end--;
  if (end <= 0) return null;
  let highestLufs = levelsLufs[end]!;
  for (let index = end; index >= 0; index--) {
    if (levelsLufs[index]! < highestLufs - RIPPLE_LU) break;
    highestLufs = Math.max(highestLufs, levelsLufs[index]!);
  }
  const soundLufs = levelsLufs.filter((levelLufs) => levelLufs > SILENCE_LUFS).sort((a, b) => a - b);
  const musicLufs = soundLufs[Math.floor(LEVEL_QUANTILE * (soundLufs.length - 1))]!;
  // The maximum itself may be far back in steady music.
  const first = levelsLufs.findLastIndex(
    (levelLufs, index) => index <= end && levelLufs >= highestLufs - RIPPLE_LU,
  );
  const isLong = (end - first) * hopSeconds >= FADE_SECONDS_MIN;
  const isDeep = (levelLufs: number): boolean => levelsLufs[first]! - levelLufs >= FADE_DEPTH_LU_MIN;
  const deep = levelsLufs.findIndex((levelLufs, index) => index > first && isDeep(levelLufs));
  const fallSeconds = (deep - first) * hopSeconds;
  const isFade = isLong && isDeep(levelsLufs[end]!) && fallSeconds >= FALL_SECONDS_MIN;
  return isFade && levelsLufs[first]! >= musicLufs - BELOW_LEVEL_LU_MAX ? first : null;
}
