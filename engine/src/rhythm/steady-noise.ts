/**
 * Where is there nothing but steady noise, like tape hiss before and after the music?
 *
 * In stretches of seconds that are far softer than the recording as a whole, with the same level in all frames of a second and the same
 * spectrum in all seconds. The rule and its numbers are our own, and narrow: music that soft does not stay so even.
 */

import { copyFrames, type FrameMatrix } from '../signal/frame-matrix.ts';
import type { FrameSpan } from './silences.ts';

/** Relative to the RMS of the recording. */
const SOFT_DB = -20;
/** From the softest to the loudest frame of a second: 2 dB in white noise, 5 dB in noise with most of its power in the bass. */
const FRAME_RANGE_DB_MAX = 6;
/** Mean difference between the bands of a second and those of the first second of its stretch: noise scatters by half a decibel. */
const SPECTRUM_DB_MAX = 1;
/** Shorter stretches may be a held note. */
const STEADY_SECONDS_MIN = 10;

/** The stretches in order, in whole seconds; one that lasts to the last whole second extends to the end. */
export function findSteadyNoise(mel: FrameMatrix): FrameSpan[] {
  const secondFrames = Math.round(mel.frameRateHz);
  const seconds = describeSeconds(mel, secondFrames);
  const meanPower = seconds.reduce((sum, { power }) => sum + power, 0) / seconds.length;
  const spans: FrameSpan[] = [];
  let startSecond = 0;
  for (let second = 0; second <= seconds.length; second++) {
    const here = seconds[second];
    const isSteady = here?.isEven && here.power < meanPower * 10 ** (SOFT_DB / 10);
    if (isSteady && compareSpectra(seconds[startSecond]!, here) <= SPECTRUM_DB_MAX) continue;
    if (second - startSecond >= STEADY_SECONDS_MIN)
      spans.push({
        startFrame: startSecond * secondFrames,
        endFrame: second === seconds.length ? mel.frameCount : second * secondFrames,
      });
    startSecond = isSteady ? second : second + 1;
  }
  return spans;
}

type Second = {
  /** Mean of its frames. */
  power: number;
  bandsDb: Float32Array;
  /** Whether all frames have about the same level. */
  isEven: boolean;
};

function describeSeconds(mel: FrameMatrix, secondFrames: number): Second[] {
  const { binCount, frameCount } = mel;
  const rows = new Float32Array(secondFrames * binCount);
  return Array.from({ length: Math.floor(frameCount / secondFrames) }, (_, second) => {
    copyFrames(mel, second * secondFrames, (second + 1) * secondFrames, rows);
    const bands = new Float32Array(binCount);
    let softest = Number.POSITIVE_INFINITY;
    let loudest = 0;
    let sum = 0;
    for (let frame = 0; frame < secondFrames; frame++) {
      let power = 0;
      for (let band = 0; band < binCount; band++) {
        const square = rows[frame * binCount + band]! ** 2;
        bands[band]! += square;
        power += square;
      }
      softest = Math.min(softest, power);
      loudest = Math.max(loudest, power);
      sum += power;
    }
    return {
      power: sum / secondFrames,
      bandsDb: bands.map((power) => 10 * Math.log10(power + Number.MIN_VALUE)),
      isEven: loudest <= softest * 10 ** (FRAME_RANGE_DB_MAX / 10),
    };
  });
}

function compareSpectra(a: Second, b: Second): number {
  let sum = 0;
  a.bandsDb.forEach((db, band) => {
    sum += Math.abs(db - b.bandsDb[band]!);
  });
  return sum / a.bandsDb.length;
}
