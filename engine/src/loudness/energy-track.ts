/**
 * How much energy does the ear get, and when? K-weighted energy over time, the one measurement all loudness values are made of.
 *
 * Energies of 10 ms are added up into windows of 400 ms (momentary, and the gating blocks of BS.1770) and 3 s
 * (short-term). Both are kept every 100 ms, the overlap of 75 % that the recommendation asks of gating blocks; the maxima are
 * followed every 10 ms, without which a burst between two windows would be read up to 0.6 LU low (EBU Tech 3341, cases 10 and 13).
 */

import type { StagedBlock } from '../signal/block-stage.ts';
import type { DoubleRegion, Kernels } from '../signal/kernels.ts';
import { listChannelWeights } from './channel-weights.ts';
import { type Biquad, designKWeighting } from './k-weighting.ts';

export const ENERGY_HOP_SECONDS = 0.1;
export const MOMENTARY_SECONDS = 0.4;
export const SHORT_TERM_SECONDS = 3;

const STEPS_PER_SECOND = 100;
const STEPS_PER_HOP = 10;
const MOMENTARY_STEPS = 40;
const SHORT_TERM_STEPS = 300;
/** Where the two sums lie in the state of a filter pair: its registers come first (engine/wasm/assembly/loudness.ts). */
const SUMS_AT = 12;
const PAIR_STATE_DOUBLES = SUMS_AT + 2;

/** Mean weighted squares, summed over the channels. Window i ends i hops after the first full one, which begins at 0. */
export type EnergyTrack = {
  momentaryEnergies: Float64Array;
  shortTermEnergies: Float64Array;
  /** 0 where there is no whole window. */
  momentaryMaxEnergy: number;
  shortTermMaxEnergy: number;
};

export type EnergyMeter = {
  take(block: StagedBlock): void;
  finish(): EnergyTrack;
};

export function createEnergyMeter(kernels: Kernels, sampleRateHz: number, channelCount: number): EnergyMeter {
  const weights = listChannelWeights(channelCount);
  const pairs = createPairStates(kernels, channelCount);
  const coefficients = kernels.copyDoubles(designKWeighting(sampleRateHz).flatMap(listCoefficients)).pointer;
  const windows = createSlidingWindows();
  const stepEndSample = (step: number): number => Math.round(((step + 1) * sampleRateHz) / STEPS_PER_SECOND);
  let step = 0;
  let stepStartSample = 0;
  let positionSample = 0;

  const closeStep = (): void => {
    let energy = 0;
    pairs.forEach(({ view }, index) => {
      energy += weights[2 * index]! * view[SUMS_AT]! + (weights[2 * index + 1] ?? 0) * view[SUMS_AT + 1]!;
      view[SUMS_AT] = 0;
      view[SUMS_AT + 1] = 0;
    });
    windows.push(energy / Math.max(1, positionSample - stepStartSample));
    stepStartSample = positionSample;
    step++;
  };

  return {
    take({ channels, sampleCount }) {
      for (let from = 0; from < sampleCount; ) {
        const count = Math.min(sampleCount - from, stepEndSample(step) - positionSample);
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
        while (positionSample === stepEndSample(step)) closeStep();
      }
    },
    finish: windows.finish,
  };
}

/** Sums of the last 40 and 300 steps. */
function createSlidingWindows(): { push(energy: number): void; finish(): EnergyTrack } {
  // Every step stands here twice, a window apart, so that the last ones always lie side by side.
  const recent = new Float64Array(2 * SHORT_TERM_STEPS);
  const momentaryEnergies: number[] = [];
  const shortTermEnergies: number[] = [];
  let stepCount = 0;
  let momentaryMaxEnergy = 0;
  let shortTermMaxEnergy = 0;

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
      const onHop = stepCount % STEPS_PER_HOP === 0;
      if (stepCount >= MOMENTARY_STEPS) {
        const mean = meanOfLast(MOMENTARY_STEPS);
        momentaryMaxEnergy = Math.max(momentaryMaxEnergy, mean);
        if (onHop) momentaryEnergies.push(mean);
      }
      if (stepCount >= SHORT_TERM_STEPS && onHop) {
        const mean = meanOfLast(SHORT_TERM_STEPS);
        shortTermMaxEnergy = Math.max(shortTermMaxEnergy, mean);
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

/** Registers of a filter pair and its two sums: the kernel filters two channels at once. */
function createPairStates(kernels: Kernels, channelCount: number): DoubleRegion[] {
  return Array.from({ length: Math.ceil(channelCount / 2) }, () =>
    kernels.allocateDoubles(PAIR_STATE_DOUBLES),
  );
}

function listCoefficients({ b0, b1, b2, a1, a2 }: Biquad): number[] {
  return [b0, b1, b2, a1, a2];
}
