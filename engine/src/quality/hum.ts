/**
 * Mains hum: a steady tone at 50 or 60 Hz with harmonics, below everything else.
 *
 * Hum never pauses, bass lines do: per harmonic the level that even the quietest tenth of the frames keeps is compared with
 * the same level a few bins to either side. Two prominent harmonics of one series make a hum. A drone exactly on the mains frequency
 * cannot be told from it.
 */

import type { Quality } from '../result.ts';
import { createLevelHistogram, type LevelHistogram } from './level-histogram.ts';

const BASES_HZ = [50, 60] as const;
const HARMONICS = [1, 2, 3, 4, 5, 6];
const QUIET_SHARE = 0.1;
const PROMINENCE_DB_MIN = 12;
/** Prominence from which on there is no doubt. */
const PROMINENCE_DB_SURE = 30;
const HARMONICS_MIN = 2;
/** Below, nobody hears it; above, it is a bass note held throughout. */
const LEVEL_DBFS = { min: -100, max: -25 };
/** Five seconds: a shorter note would do. */
const FRAMES_MIN = 50;
/** Clear of the main lobe of a Hann window. */
const NEIGHBOUR_BINS = [-5, -4, 4, 5];

export type HumDetector = {
  /** Magnitudes of one frame. */
  take(magnitudes: Float32Array): void;
  finish(): Quality['hum'];
};

type Line = { bin: number; level: LevelHistogram; around: LevelHistogram };

/** `sineGain` is the magnitude of a sine of full scale. */
export function createHumDetector(binHz: number, sineGain: number): HumDetector {
  const series = BASES_HZ.map((baseHz) => ({
    baseHz,
    lines: HARMONICS.map(
      (harmonic): Line => ({
        bin: Math.round((baseHz * harmonic) / binHz),
        level: createLevelHistogram(),
        around: createLevelHistogram(),
      }),
    ),
  }));
  const toDbfs = (magnitude: number): number => 20 * Math.log10(magnitude / sineGain);

  return {
    take(magnitudes) {
      for (const { lines } of series) {
        for (const { bin, level, around } of lines) {
          const height = Math.max(magnitudes[bin - 1]!, magnitudes[bin]!, magnitudes[bin + 1]!);
          // Digital silence tells nothing about the room.
          if (height === 0) continue;
          level.add(toDbfs(height));
          around.add(
            toDbfs(
              NEIGHBOUR_BINS.reduce((sum, offset) => sum + magnitudes[bin + offset]!, 0) /
                NEIGHBOUR_BINS.length,
            ),
          );
        }
      }
    },
    finish() {
      const found = series.map(({ baseHz, lines }) => weighSeries(baseHz, lines));
      const best = found.reduce((a, b) => (b.prominenceDb > a.prominenceDb ? b : a));
      if (best.prominenceDb === 0) return null;
      return {
        frequencyHz: best.baseHz,
        levelDbfs: best.levelDbfs,
        confidence: Math.min(1, best.prominenceDb / PROMINENCE_DB_SURE),
      };
    },
  };
}

function weighSeries(
  baseHz: (typeof BASES_HZ)[number],
  lines: Line[],
): { baseHz: (typeof BASES_HZ)[number]; levelDbfs: number; prominenceDb: number } {
  const prominent = lines.flatMap(({ level, around }) => {
    const levelDbfs = level.percentile(QUIET_SHARE);
    const aroundDbfs = around.percentile(QUIET_SHARE);
    if (levelDbfs === null || aroundDbfs === null || level.count < FRAMES_MIN) return [];
    const prominenceDb = levelDbfs - aroundDbfs;
    return prominenceDb >= PROMINENCE_DB_MIN && levelDbfs >= LEVEL_DBFS.min && levelDbfs <= LEVEL_DBFS.max
      ? [{ levelDbfs, prominenceDb }]
      : [];
  });
  if (prominent.length < HARMONICS_MIN) return { baseHz, levelDbfs: 0, prominenceDb: 0 };
  const power = prominent.reduce((sum, line) => sum + 10 ** (line.levelDbfs / 10), 0);
  const prominenceDb = prominent.reduce((sum, line) => sum + line.prominenceDb, 0) / prominent.length;
  return { baseHz, levelDbfs: 10 * Math.log10(power), prominenceDb };
}
