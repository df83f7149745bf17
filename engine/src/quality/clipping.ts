/**
 * Where is it clipped? Crests cut off flat, at full scale or (when the level was lowered afterwards) below it.
 *
 * A clipped crest is a run of three or more samples at one level, near the loudest of the channel, entered and left by a step. Runs less
 * than 50 ms apart make one event, whose severity is the share of its time that is clipped. Levels are amplitudes, with full scale at 1.
 * The thresholds are set by hand, so that planted clipping is found and clean music, noise and sines have none (quality.slow.test.ts).
 */

import type { QualityEvent } from '../result.ts';
import type { Kernels } from '../signal/kernels.ts';

/** Full scale of a converter. Lossy decoders overshoot it and players clip the overshoot, so samples beyond it count as being at it. */
export const CEILING = 0.9999;
/** Two steps of 16 bits, for files that were dithered after they were clipped. */
export const FLAT_TOLERANCE = 2 / 32768;
/** A natural crest approaches its top in steps not much larger than the tolerance. */
export const STEP_MIN = 12 / 32768;
export const RUN_SAMPLES_MIN = 3;
/** -6 dBFS: softer flat tops are more likely to be synthetic waves. */
const LEVEL_MIN = 0.5;
/** A share of the channel's loudest sample: flat tops below it were not clipped at the same limit. */
const LEVEL_SHARE_MIN = 0.98;
const JOIN_SECONDS = 0.05;
/** More runs than a staged block of 4096 samples can hold, as each has at least three samples. */
const FINDS_MAX = 2048;
/** The kernel's state (findFlatTops in engine/wasm/assembly/inspection.ts): five numbers of four bytes, rounded up to whole vectors. */
export const FLAT_TOP_STATE_BYTES = 32;
/** A position and a length, of four bytes each. */
export const FIND_BYTES = 8;

type Burst = { firstSample: number; lastSample: number; clippedSamples: number; level: number };

export type ClippingDetector = {
  /** `peak` is the largest absolute value of the `sampleCount` samples at `input`. */
  take(input: number, sampleCount: number, peak: number): void;
  finish(): void;
};

export function createClippingDetector(
  kernels: Kernels,
  sampleRateHz: number,
  channel: number,
  onEvent: (event: QualityEvent) => void,
): ClippingDetector {
  const state = kernels.exports.allocate(FLAT_TOP_STATE_BYTES);
  const finds = kernels.exports.allocate(FINDS_MAX * FIND_BYTES);
  let bursts: Burst[] = [];
  let loudest = 0;
  let positionSamples = 0;
  const joinSamples = JOIN_SECONDS * sampleRateHz;

  return {
    take(input, sampleCount, samplePeak) {
      const blockPeak = Math.min(CEILING, samplePeak);
      if (blockPeak > loudest) {
        loudest = blockPeak;
        // Flat tops well below the new loudest level were not clipped.
        bursts = bursts.filter((burst) => burst.level >= LEVEL_SHARE_MIN * loudest);
      }
      const levelMin = Math.max(LEVEL_MIN, LEVEL_SHARE_MIN * loudest);
      if (blockPeak >= levelMin) {
        const count = kernels.exports.findFlatTops(
          input,
          sampleCount,
          levelMin,
          CEILING,
          FLAT_TOLERANCE,
          STEP_MIN,
          RUN_SAMPLES_MIN,
          state,
          finds,
          FINDS_MAX,
        );
        const pairs = new Int32Array(kernels.exports.memory.buffer, finds, 2 * count);
        for (let i = 0; i < count; i++) {
          const [lastSample, clippedSamples] = [positionSamples + pairs[2 * i]!, pairs[2 * i + 1]!];
          const firstSample = lastSample - clippedSamples + 1;
          joinRun(bursts, { firstSample, lastSample, clippedSamples, level: blockPeak }, joinSamples);
        }
      } else {
        kernels.exports.resetFlatTops(input, sampleCount, state);
      }
      positionSamples += sampleCount;
    },
    finish() {
      for (const { firstSample, lastSample, clippedSamples } of bursts) {
        onEvent({
          kind: 'clipping',
          startSeconds: firstSample / sampleRateHz,
          endSeconds: (lastSample + 1) / sampleRateHz,
          channel,
          severity: clippedSamples / (lastSample + 1 - firstSample),
        });
      }
    },
  };
}

/** Adds a run to the last burst if it is near enough, or begins a new burst. */
function joinRun(bursts: Burst[], run: Burst, joinSamples: number): void {
  const burst = bursts.at(-1);
  if (burst === undefined || run.firstSample - burst.lastSample > joinSamples) {
    bursts.push(run);
    return;
  }
  burst.lastSample = run.lastSample;
  burst.clippedSamples += run.clippedSamples;
  burst.level = Math.max(burst.level, run.level);
}
