/**
 * How loud is it? Programme loudness, range, maxima, peaks and curves after ITU-R BS.1770-5 and EBU R 128.
 *
 * 1. K-weighted energy over time  2. gates  3. peaks between the samples  4. ReplayGain and the gains of streaming platforms.
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
import { energyToLufs, integrateLoudness, measureLoudnessRange } from './gating.ts';
import { listPlatformGains } from './platform-gains.ts';
import { createPeakMeter } from './true-peak.ts';

/** ReplayGain 2.0 (Hydrogenaudio wiki): gain to -18 LUFS, peak as the largest sample. */
const REPLAY_GAIN_REFERENCE_LUFS = -18;

/** Chosen: two values a second. Beyond this many values the hop is doubled, so that the result of an opera stays small. */
const CURVE_VALUES_MAX = 4096;
const CURVE_HOP_SECONDS = 0.5;
/** The absolute gate: below it a curve has no value. */
const CURVE_FLOOR_LUFS = -70;

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
    momentaryMaxLufs: finiteOrNull(energyToLufs(track.momentaryMaxEnergy)),
    shortTermMaxLufs: finiteOrNull(energyToLufs(track.shortTermMaxEnergy)),
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

/** A value stands at the centre of its window. */
function drawCurve(energies: Float64Array, windowSeconds: number): Curve {
  let hops = Math.round(CURVE_HOP_SECONDS / ENERGY_HOP_SECONDS);
  while (energies.length / hops > CURVE_VALUES_MAX) hops *= 2;
  const values: (number | null)[] = [];
  for (let i = 0; i < energies.length; i += hops) {
    const lufs = energyToLufs(energies[i]!);
    values.push(lufs < CURVE_FLOOR_LUFS ? null : Math.round(lufs * 100) / 100);
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

function toDecibels(amplitude: number): number | null {
  return finiteOrNull(20 * Math.log10(amplitude));
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
