/**
 * What is the stereo image? How similar the first two channels are, how wide they sound, and what is lost when they are mixed to mono.
 *
 * correlation  sum LR / sqrt(sum LL sum RR): 1 equal, 0 unrelated, -1 inverted.
 * width        side energy over all energy: 0 mono, 0.5 unrelated, 1 inverted.
 * mono loss    energy of both channels over twice that of their mean, in dB: 0 equal, 3 unrelated, large when inverted.
 * imbalance    energy left over right, in dB.
 *
 * The measures are the usual ones of correlation and mid/side meters; the limits are our own, set by hand.
 */

import type { Curve, Quality } from '../result.ts';
import { STAGE_SAMPLES } from '../signal/block-stage.ts';
import type { Kernels } from '../signal/kernels.ts';

const CURVE_STEP_SECONDS = 1;
/** Beyond an hour of seconds adjacent points are merged: no screen draws more. */
const CURVE_VALUES_MAX = 4096;
/** Keeps the ratios of a silent channel finite; at this ratio the softer channel is inaudible anyway. */
const RATIO_DB_MAX = 60;
/** Over a whole recording, inverted wiring is far below it, and a few sounds in opposite polarity are far above. */
const INVERTED_CORRELATION_MAX = -0.5;

/** Sums of the squares of either channel and of their products. */
type Sums = { left: number; right: number; product: number };

export type StereoMeter = {
  /** The addresses of a block of each channel, and the sums of its squares. */
  take(left: number, right: number, leftSquares: number, rightSquares: number, sampleCount: number): void;
  /** Null when both channels are silent throughout. */
  finish(): Quality['stereo'];
};

export function createStereoMeter(kernels: Kernels, sampleRateHz: number): StereoMeter {
  let blocksPerPoint = Math.max(1, Math.round((CURVE_STEP_SECONDS * sampleRateHz) / STAGE_SAMPLES));
  let points: Sums[] = [];
  let blocksInPoint = 0;
  let samplesTaken = 0;

  const halvePoints = (): void => {
    points = points
      .filter((_, index) => index % 2 === 0)
      .map((point, index) => addSums(point, points[2 * index + 1]));
    blocksPerPoint *= 2;
  };

  return {
    take(left, right, leftSquares, rightSquares, sampleCount) {
      if (blocksInPoint === 0) points.push({ left: 0, right: 0, product: 0 });
      const point = points.at(-1)!;
      samplesTaken += sampleCount;
      point.left += leftSquares;
      point.right += rightSquares;
      point.product += kernels.exports.sumProducts(left, right, sampleCount);
      blocksInPoint = (blocksInPoint + 1) % blocksPerPoint;
      if (blocksInPoint === 0 && points.length === CURVE_VALUES_MAX) halvePoints();
    },
    finish() {
      const whole = points.reduce(addSums, { left: 0, right: 0, product: 0 });
      const { left, right, product } = whole;
      if (left + right === 0) return null;
      const hopSeconds = (blocksPerPoint * STAGE_SAMPLES) / sampleRateHz;
      const drawCurve = (measure: (sums: Sums) => number): Curve => ({
        hopSeconds,
        // A file shorter than a hop has one point, in its middle.
        startSeconds: Math.min(hopSeconds, samplesTaken / sampleRateHz) / 2,
        values: points.map((point) =>
          point.left + point.right === 0 ? null : Math.round(measure(point) * 1000) / 1000,
        ),
      });
      const correlation = correlate(whole);
      return {
        correlation,
        width: measureWidth(whole),
        correlationCurve: drawCurve(correlate),
        widthCurve: drawCurve(measureWidth),
        monoLossDb: ratioDb(2 * (left + right), left + right + 2 * product),
        imbalanceDb: ratioDb(left, right),
        phaseInverted: correlation <= INVERTED_CORRELATION_MAX,
      };
    },
  };
}

/** 0 when a channel is silent. */
function correlate({ left, right, product }: Sums): number {
  const norm = Math.sqrt(left * right);
  return norm === 0 ? 0 : Math.max(-1, Math.min(1, product / norm));
}

function measureWidth({ left, right, product }: Sums): number {
  return Math.max(0, Math.min(1, 0.5 - product / (left + right)));
}

function ratioDb(a: number, b: number): number {
  return Math.max(-RATIO_DB_MAX, Math.min(RATIO_DB_MAX, 10 * Math.log10(Math.max(a, 0) / Math.max(b, 0))));
}

function addSums(a: Sums, b: Sums | undefined): Sums {
  return {
    left: a.left + (b?.left ?? 0),
    right: a.right + (b?.right ?? 0),
    product: a.product + (b?.product ?? 0),
  };
}
