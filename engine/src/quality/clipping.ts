/**
 * Where is it clipped? Crests cut off flat, at full scale or (when the level was lowered afterwards) below it.
 *
 * A run of three or more samples at one level, near the loudest the channel ever gets, entered and left by a step. Runs less than
 * 50 ms apart make one event; its severity is the share of its time that is cut off. Levels are amplitudes, full scale being 1; the bounds are
 * chosen: planted clipping is found, and clean music, noise and sines raise no alarm (quality.slow.test.ts).
 */

import type { QualityEvent } from '../result.ts';
import type { Kernels } from '../signal/kernels.ts';

/** From here on a converter has nothing left to give; decoders of lossy files go beyond, and players cut it off. */
export const CEILING = 0.9999;
/** Two steps of 16 bits, for files that were dithered after they were clipped. */
export const FLAT_TOLERANCE = 2 / 32768;
/** A crest that fades into its top has steps of the order of the tolerance. */
export const STEP_MIN = 12 / 32768;
export const RUN_SAMPLES_MIN = 3;
/** Clipping lower than -6 dBFS is not looked for: quiet flat tops are more likely to be synthetic waves. */
const LEVEL_MIN = 0.5;
/** Of the loudest sample of the channel: what lies lower was not cut off at the same limit. */
const LEVEL_SHARE_MIN = 0.98;
const JOIN_SECONDS = 0.05;
/** More than a staged block of 4096 samples can hold: a run has three of them or more. */
const FINDS_MAX = 2048;
/** As the kernel lays them out (engine/wasm/assembly/inspection.ts), rounded up to whole vectors. */
export const FLAT_TOP_STATE_BYTES = 32;
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
        // What lies below the new loudest level was no clipping, so the list stays as short as the truth.
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

/** A run goes on with the burst before it, or begins one. */
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
