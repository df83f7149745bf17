/**
 * K-weighted energy over time, from which all loudness values are computed (ITU-R BS.1770-5; EBU Tech 3341 for the windows).
 *
 * The energies of 10 ms steps are averaged over windows of 400 ms (momentary, and the gating blocks of BS.1770) and 3 s (short-term). Both
 * are kept every 100 ms, the overlap of 75 % that BS.1770 requires of gating blocks. The momentary maximum is taken every 10 ms instead,
 * because every 100 ms a burst of 400 ms between two windows would read up to 0.6 LU low (EBU Tech 3341, case 13); a burst of 3 s reads at
 * most 0.07 LU low (case 10).
 */

import type { StagedBlock } from '../signal/block-stage.ts';
import type { Kernels } from '../signal/kernels.ts';
import { listChannelWeights } from './channel-weights.ts';
import { designKWeighting } from './k-weighting.ts';

export const ENERGY_HOP_SECONDS = 0.1;
export const MOMENTARY_SECONDS = 0.4;
export const SHORT_TERM_SECONDS = 3;

const STEPS_PER_SECOND = 100;
const STEPS_PER_HOP = Math.round(ENERGY_HOP_SECONDS * STEPS_PER_SECOND);
const MOMENTARY_STEPS = Math.round(MOMENTARY_SECONDS * STEPS_PER_SECOND);
const SHORT_TERM_STEPS = SHORT_TERM_SECONDS * STEPS_PER_SECOND;
/** Index of the two sums in the state of a filter pair, after its delayed values (engine/wasm/assembly/loudness.ts). */
export const SUMS_INDEX = 12;
export const PAIR_STATE_DOUBLES = SUMS_INDEX + 2;

/** Mean weighted squares, summed over the channels. Window i starts i hops after time 0; only full windows are listed. */
export type EnergyTrack = {
  momentaryEnergies: Float64Array;
  shortTermEnergies: Float64Array;
  /** Null without a full window. */
  momentaryMaxEnergy: number | null;
  shortTermMaxEnergy: number | null;
};

export type EnergyMeter = {
  take(block: StagedBlock): void;
  finish(): EnergyTrack;
};

export function createEnergyMeter(kernels: Kernels, sampleRateHz: number, channelCount: number): EnergyMeter {
  const weights = listChannelWeights(channelCount);
  // The kernel filters two channels at once.
  const pairs = Array.from({ length: Math.ceil(channelCount / 2) }, () =>
    kernels.allocateDoubles(PAIR_STATE_DOUBLES),
  );
  const coefficients = kernels.copyDoubles(
    designKWeighting(sampleRateHz).flatMap(({ b0, b1, b2, a1, a2 }) => [b0, b1, b2, a1, a2]),
  ).pointer;
  const windows = createSlidingWindows();
  const endSampleOf = (step: number): number => Math.round(((step + 1) * sampleRateHz) / STEPS_PER_SECOND);
  let stepIndex = 0;
  let stepStartSample = 0;
  let positionSample = 0;

  const closeStep = (): void => {
    let energy = 0;
    pairs.forEach(({ view }, index) => {
      energy +=
        weights[2 * index]! * view[SUMS_INDEX]! + (weights[2 * index + 1] ?? 0) * view[SUMS_INDEX + 1]!;
      view[SUMS_INDEX] = 0;
      view[SUMS_INDEX + 1] = 0;
    });
    windows.push(energy / Math.max(1, positionSample - stepStartSample));
    stepStartSample = positionSample;
    stepIndex++;
  };

  return {
    take({ channels, sampleCount }) {
      for (let from = 0; from < sampleCount; ) {
        const count = Math.min(sampleCount - from, endSampleOf(stepIndex) - positionSample);
        pairs.forEach((pair, index) => {
          const left = channels[2 * index]! + from * Float32Array.BYTES_PER_ELEMENT;
          const right = channels[2 * index + 1];
          kernels.exports.sumWeightedSquares(
            left,
            right === undefined ? left : right + from * Float32Array.BYTES_PER_ELEMENT,
            count,
            coefficients,
            pair.pointer,
          );
        });
        from += count;
        positionSample += count;
        while (positionSample === endSampleOf(stepIndex)) closeStep();
      }
    },
    finish: windows.finish,
  };
}

/** Means over the last 40 and 300 steps. */
function createSlidingWindows(): { push(energy: number): void; finish(): EnergyTrack } {
  // A ring buffer that holds every step twice, one window apart, so that the latest steps are always contiguous.
  const recent = new Float64Array(2 * SHORT_TERM_STEPS);
  const momentaryEnergies: number[] = [];
  const shortTermEnergies: number[] = [];
  let stepCount = 0;
  let momentaryMaxEnergy: number | null = null;
  let shortTermMaxEnergy: number | null = null;

  const meanOfLast = (count: number): number => {
    const last = ((stepCount - 1) % SHORT_TERM_STEPS) + SHORT_TERM_STEPS;
    let sum = 0;
    for (let at = last; at > last - count; at--) sum += recent[at]!;
    return sum / count;
  };

  return {
    push(energy) {
      recent[stepCount % SHORT_TERM_STEPS] = energy;
      recent[(stepCount % SHORT_TERM_STEPS) + SHORT_TERM_STEPS] = energy;
      stepCount++;
      const isHopEnd = stepCount % STEPS_PER_HOP === 0;
      if (stepCount >= MOMENTARY_STEPS) {
        const mean = meanOfLast(MOMENTARY_STEPS);
        momentaryMaxEnergy = Math.max(momentaryMaxEnergy ?? 0, mean);
        if (isHopEnd) momentaryEnergies.push(mean);
      }
      if (stepCount >= SHORT_TERM_STEPS && isHopEnd) {
        const mean = meanOfLast(SHORT_TERM_STEPS);
        shortTermMaxEnergy = Math.max(shortTermMaxEnergy ?? 0, mean);
        shortTermEnergies.push(mean);
      }
    },
    finish: () => ({
      momentaryEnergies: Float64Array.from(momentaryEnergies),
      shortTermEnergies: Float64Array.from(shortTermEnergies),
      momentaryMaxEnergy,
      shortTermMaxEnergy,
    }),
  };
}
