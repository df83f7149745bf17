/**
 * Up to which frequency does the sound reach, and has it been through a lossy encoder?
 *
 * The bandwidth is the highest frequency of the file's mean power spectrum that exceeds the noise of 16-bit samples. Instruments and
 * microphones roll off gradually towards high frequencies; MP3, AAC and Vorbis encoders cut off at 11 to 20.5 kHz, with a cliff of tens of
 * decibels within a few hundred hertz. A file resampled from a lower rate has the same cliff and gets the same verdict: what was above it
 * is lost either way. Thresholds are set by hand: encoders' cliffs are found, a gentle slope is not taken for one (quality.slow.test.ts).
 */

import type { Quality } from '../result.ts';
import type { MeanSpectrum } from '../signal/mean-spectrum.ts';

/** About a second of CD audio; fewer frames describe a moment rather than the recording. */
export const BANDWIDTH_FRAMES_MIN = 4;
/** Dither of 16 bits is near -124 dBFS in a bin of the mean spectrum; the rest is a margin. */
const AUDIBLE_DBFS = -110;
/** Bins on either side that a level is averaged over. */
const SMOOTHING_BINS = 3;
/** The height of a cliff is the difference of the mean levels from SLOPE_HZ to SIDE_HZ below the edge and above it. */
const SIDE_HZ = 1000;
const SLOPE_HZ = 250;
const CLIFF_DB_MIN = 20;
/** From this height on the confidence is 1. */
const CLIFF_DB_SURE = 50;
/** An edge without a cliff, at a frequency where encoders cut off, rules out an encoder with less confidence than one elsewhere. */
const UNLIKELY_CONFIDENCE = { edgeInRange: 0.6, edgeElsewhere: 0.8 };
const ENCODER_CUTOFF_HZ = { min: 10_000, max: 20_700 };
/** At lower rates the usual cutoff of an encoder would be beyond Nyquist. */
const SAMPLE_RATE_HZ_MIN = 40_000;
/** -200 dBFS: keeps the level of digital silence finite. */
const POWER_FLOOR = 1e-20;

export function measureBandwidth(
  spectrum: MeanSpectrum,
  sampleRateHz: number,
): Pick<Quality, 'bandwidthHz' | 'lossyTranscode'> {
  const unknown = { verdict: 'unknown', cutoffHz: null, confidence: 0 } as const;
  if (spectrum.frameCount < BANDWIDTH_FRAMES_MIN) return { bandwidthHz: null, lossyTranscode: unknown };
  const levelsDbfs = toSmoothLevels(spectrum.powers);
  const edgeBin = levelsDbfs.findLastIndex((levelDbfs) => levelDbfs > AUDIBLE_DBFS);
  if (edgeBin < 1) return { bandwidthHz: null, lossyTranscode: unknown };
  return {
    bandwidthHz: edgeBin * spectrum.binHz,
    lossyTranscode:
      sampleRateHz < SAMPLE_RATE_HZ_MIN ? unknown : judgeCliff(levelsDbfs, edgeBin, spectrum.binHz),
  };
}

function judgeCliff(levelsDbfs: Float64Array, edgeBin: number, binHz: number): Quality['lossyTranscode'] {
  const meanDbfs = (fromHz: number, toHz: number): number | null => {
    const first = Math.max(0, Math.round(edgeBin + fromHz / binHz));
    const part = levelsDbfs.subarray(first, Math.max(0, Math.round(edgeBin + toHz / binHz) + 1));
    return part.length === 0 ? null : part.reduce((sum, level) => sum + level, 0) / part.length;
  };
  const edgeHz = edgeBin * binHz;
  const [belowDbfs, aboveDbfs] = [meanDbfs(-SIDE_HZ, -SLOPE_HZ), meanDbfs(SLOPE_HZ, SIDE_HZ)];
  // With no bins beyond the edge it is the end of the spectrum, not a cliff.
  const cliffDb = belowDbfs === null || aboveDbfs === null ? 0 : belowDbfs - aboveDbfs;
  const isInRange = edgeHz >= ENCODER_CUTOFF_HZ.min && edgeHz <= ENCODER_CUTOFF_HZ.max;
  if (isInRange && cliffDb >= CLIFF_DB_MIN) {
    return {
      verdict: 'likely',
      cutoffHz: edgeHz,
      confidence: Math.min(1, cliffDb / CLIFF_DB_SURE),
    };
  }
  const confidence = isInRange ? UNLIKELY_CONFIDENCE.edgeInRange : UNLIKELY_CONFIDENCE.edgeElsewhere;
  return { verdict: 'unlikely', cutoffHz: null, confidence };
}

/** Level of a sine of the same power in each bin, in dBFS, averaged over its neighbours. */
function toSmoothLevels(powers: Float64Array): Float64Array {
  return powers.map((_, bin) => {
    const first = Math.max(0, bin - SMOOTHING_BINS);
    const part = powers.subarray(first, bin + SMOOTHING_BINS + 1);
    return 10 * Math.log10(part.reduce((sum, power) => sum + power, 0) / part.length + POWER_FLOOR);
  });
}
