/**
 * Where is there nothing but steady noise, like the hiss of a tape before and after its music?
 *
 * In stretches of seconds that are far softer than the recording as a whole, have the same level in all their frames, and the same spectrum from
 * each second to the next. The rule and its numbers are our own, and narrow: music that soft moves.
 */

import { copyFrames, type FrameMatrix } from '../signal/frame-matrix.ts';

/** Relative to the RMS of the whole. */
const SOFT_DB = -20;
/** From the softest to the loudest frame of a second: 2 dB in white noise, 5 in noise with most of its power in the bass. */
const FRAME_RANGE_DB_MAX = 6;
/** Mean distance of the bands of one second from those of the first of the stretch: noise scatters by half a decibel. */
const SPECTRUM_DB_MAX = 1;
/** Shorter stretches may be a held sound. */
const STEADY_SECONDS_MIN = 10;

/** Frames, the end exclusive. */
export type FrameSpan = { start: number; end: number };

/** The stretches in order, in whole seconds. */
export function findSteadyNoise(mel: FrameMatrix): FrameSpan[] {
  const perSecond = Math.round(mel.frameRateHz);
  const seconds = describeSeconds(mel, perSecond);
  const meanPower = seconds.reduce((sum, { power }) => sum + power, 0) / seconds.length;
  const spans: FrameSpan[] = [];
  let start = 0;
  for (let second = 0; second <= seconds.length; second++) {
    const here = seconds[second];
    const isSteady = here?.isEven && here.power < meanPower * 10 ** (SOFT_DB / 10);
    if (isSteady && compareSpectra(seconds[start]!, here) <= SPECTRUM_DB_MAX) continue;
    if (second - start >= STEADY_SECONDS_MIN)
      spans.push({
        start: start * perSecond,
        end: second === seconds.length ? mel.frameCount : second * perSecond,
      });
    start = isSteady ? second : second + 1;
  }
  return spans;
}

type Second = {
  /** Mean of its frames. */
  power: number;
  bandsDb: Float32Array;
  /** Whether all frames are about as loud. */
  isEven: boolean;
};

function describeSeconds(mel: FrameMatrix, perSecond: number): Second[] {
  const { binCount, frameCount } = mel;
  const rows = new Float32Array(perSecond * binCount);
  return Array.from({ length: Math.floor(frameCount / perSecond) }, (_, second) => {
    copyFrames(mel, second * perSecond, (second + 1) * perSecond, rows);
    const bands = new Float32Array(binCount);
    let softest = Number.POSITIVE_INFINITY;
    let loudest = 0;
    let sum = 0;
    for (let frame = 0; frame < perSecond; frame++) {
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
      power: sum / perSecond,
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
