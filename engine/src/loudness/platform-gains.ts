/**
 * How will the streaming services change the level of this track?
 *
 * Each service has its own target. A louder track is turned down to it; a softer one is turned up, but only until its true peak reaches -1
 * dBTP, and on YouTube not at all. The targets are the commonly quoted ones; the services publish them in help pages, change them, and let
 * listeners choose others.
 */

import type { PlatformGain } from '../result.ts';

/** The limit of true peaks in the loudness recommendations for streaming (AES TD1004). */
const PEAK_MAX_DBTP = -1;

const PLATFORMS: { platform: PlatformGain['platform']; targetLufs: number; raises: boolean }[] = [
  { platform: 'spotify', targetLufs: -14, raises: true },
  { platform: 'apple_music', targetLufs: -16, raises: true },
  { platform: 'youtube', targetLufs: -14, raises: false },
  { platform: 'tidal', targetLufs: -14, raises: true },
  { platform: 'amazon_music', targetLufs: -14, raises: true },
  { platform: 'podcast', targetLufs: -16, raises: true },
];

export function listPlatformGains(
  integratedLufs: number | null,
  truePeakDbtp: number | null,
): PlatformGain[] {
  return PLATFORMS.map(({ platform, targetLufs, raises }) => {
    if (integratedLufs === null || truePeakDbtp === null) {
      return { platform, targetLufs, gainDb: null, truePeakAfterDbtp: null, limited: false };
    }
    const wantedDb = targetLufs - integratedLufs;
    const highestDb = raises ? Math.max(0, PEAK_MAX_DBTP - truePeakDbtp) : 0;
    const gainDb = Math.min(wantedDb, highestDb);
    return {
      platform,
      targetLufs,
      gainDb,
      truePeakAfterDbtp: truePeakDbtp + gainDb,
      limited: gainDb < wantedDb,
    };
  });
}
