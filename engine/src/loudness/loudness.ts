/**
 * How loud is it? Programme loudness, range, maxima, peaks and curves after ITU-R BS.1770-5 and EBU R 128.
 *
 * 1. K-weighted energy over time  2. gated means  3. peaks between the samples  4. gains of ReplayGain and of streaming platforms.
 */

import type { Curve, Loudness, UnavailableReason } from '../result.ts';
import type { StagedBlock } from '../signal/block-stage.ts';
import type { Kernels } from '../signal/kernels.ts';
import {
  createEnergyMeter,
  ENERGY_HOP_SECONDS,
  type EnergyTrack,
  MOMENTARY_SECONDS,
  SHORT_TERM_SECONDS,
} from './energy-track.ts';
import { ABSOLUTE_GATE_LUFS, energyToLufs, integrateLoudness, measureLoudnessRange } from './gating.ts';
import { listPlatformGains } from './platform-gains.ts';
import { createPeakMeter } from './true-peak.ts';

/** ReplayGain 2.0 (Hydrogenaudio wiki): the gain leads to -18 LUFS, and the peak is the largest sample. */
const REPLAY_GAIN_REFERENCE_LUFS = -18;

/** Fine enough for a graph of a song across a page. */
const CURVE_HOP_SECONDS = 0.5;
/** 34 minutes at that hop. For longer files the hop is doubled until the values fit, so that the result of an opera stays small. */
const CURVE_VALUES_MAX = 4096;

export type MeasuredLoudness = {
  loudness: Loudness;
  unavailable: Record<string, UnavailableReason>;
};

export type LoudnessMeter = {
  take(block: StagedBlock): void;
  finish(): MeasuredLoudness;
};

export function createLoudnessMeter(
  kernels: Kernels,
  sampleRateHz: number,
  channelCount: number,
): LoudnessMeter {
  const energies = createEnergyMeter(kernels, sampleRateHz, channelCount);
  const peaks = createPeakMeter(kernels, channelCount);
  return {
    take(block) {
      energies.take(block);
      peaks.take(block);
    },
    finish() {
      const track = energies.finish();
      const { samplePeak, truePeak } = peaks.finish();
      const loudness = assembleLoudness(track, samplePeak, truePeak);
      return { loudness, unavailable: explainAbsence(loudness, track) };
    },
  };
}

function assembleLoudness(track: EnergyTrack, samplePeak: number, truePeak: number): Loudness {
  const integratedLufs = integrateLoudness(track.momentaryEnergies);
  const truePeakDbtp = toDecibels(truePeak);
  return {
    integratedLufs,
    rangeLu: measureLoudnessRange(track.shortTermEnergies),
    momentaryMaxLufs: toLufs(track.momentaryMaxEnergy),
    shortTermMaxLufs: toLufs(track.shortTermMaxEnergy),
    truePeakDbtp,
    samplePeakDbfs: toDecibels(samplePeak),
    plrLu: integratedLufs === null || truePeakDbtp === null ? null : truePeakDbtp - integratedLufs,
    replayGain: {
      trackGainDb: integratedLufs === null ? null : REPLAY_GAIN_REFERENCE_LUFS - integratedLufs,
      trackPeak: samplePeak,
    },
    momentary: drawCurve(track.momentaryEnergies, MOMENTARY_SECONDS),
    shortTerm: drawCurve(track.shortTermEnergies, SHORT_TERM_SECONDS),
    platforms: listPlatformGains(integratedLufs, truePeakDbtp),
  };
}

/** The time of a value is the centre of its window. Below the absolute gate there is no value. */
function drawCurve(energies: Float64Array, windowSeconds: number): Curve {
  let hops = Math.round(CURVE_HOP_SECONDS / ENERGY_HOP_SECONDS);
  while (energies.length / hops > CURVE_VALUES_MAX) hops *= 2;
  const values: (number | null)[] = [];
  for (let i = 0; i < energies.length; i += hops) {
    const lufs = energyToLufs(energies[i]!);
    values.push(lufs < ABSOLUTE_GATE_LUFS ? null : Math.round(lufs * 100) / 100);
  }
  return { hopSeconds: hops * ENERGY_HOP_SECONDS, startSeconds: windowSeconds / 2, values };
}

function explainAbsence(loudness: Loudness, track: EnergyTrack): Record<string, UnavailableReason> {
  const reasons: Record<string, UnavailableReason> = {};
  const reasonOf = (windows: Float64Array): UnavailableReason =>
    windows.length === 0 ? 'too_short' : 'silence';
  if (loudness.integratedLufs === null)
    reasons['loudness.integrated_lufs'] = reasonOf(track.momentaryEnergies);
  if (loudness.momentaryMaxLufs === null)
    reasons['loudness.momentary_max_lufs'] = reasonOf(track.momentaryEnergies);
  if (loudness.rangeLu === null) reasons['loudness.range_lu'] = reasonOf(track.shortTermEnergies);
  if (loudness.shortTermMaxLufs === null)
    reasons['loudness.short_term_max_lufs'] = reasonOf(track.shortTermEnergies);
  if (loudness.truePeakDbtp === null) reasons['loudness.true_peak_dbtp'] = 'silence';
  if (loudness.samplePeakDbfs === null) reasons['loudness.sample_peak_dbfs'] = 'silence';
  return reasons;
}

function toLufs(energy: number | null): number | null {
  return energy === null ? null : finiteOrNull(energyToLufs(energy));
}

function toDecibels(amplitude: number): number | null {
  return finiteOrNull(20 * Math.log10(amplitude));
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
