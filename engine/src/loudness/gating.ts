/**
 * Programme loudness (ITU-R BS.1770-5) and loudness range (EBU Tech 3342), both gated.
 *
 * A block counts if it is louder than -70 LUFS (absolute gate) and than 10 LU below the mean of all such blocks (relative gate). The range
 * is the distance between the 10th and the 95th percentile of short-term loudness, with a relative gate of -20 LU, so that neither a
 * fade-out nor a single gunshot decides it.
 */

/** With it, a 997 Hz sine of 0 dBFS in one channel reads -3.01 LUFS (BS.1770-5, annex 1). */
const OFFSET_LU = -0.691;
export const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = -10;
const RANGE_RELATIVE_GATE_LU = -20;
const RANGE_LOW_SHARE = 0.1;
const RANGE_HIGH_SHARE = 0.95;

/** -Infinity for silence. */
export function energyToLufs(energy: number): number {
  return OFFSET_LU + 10 * Math.log10(energy);
}

export function lufsToEnergy(lufs: number): number {
  return 10 ** ((lufs - OFFSET_LU) / 10);
}

/** Programme loudness of gating blocks; null when none is above the absolute gate. */
export function integrateLoudness(blockEnergies: Float64Array): number | null {
  const { meanEnergy } = meanAboveGates(blockEnergies, RELATIVE_GATE_LU);
  return meanEnergy === null ? null : energyToLufs(meanEnergy);
}

/** Loudness range in LU; null when no short-term value is above the absolute gate. */
export function measureLoudnessRange(shortTermEnergies: Float64Array): number | null {
  const { gated } = meanAboveGates(shortTermEnergies, RANGE_RELATIVE_GATE_LU);
  if (gated.length === 0) return null;
  gated.sort();
  // Nearest rank, as in the reference program of Tech 3342.
  const percentile = (share: number): number => gated[Math.round((gated.length - 1) * share)]!;
  return energyToLufs(percentile(RANGE_HIGH_SHARE)) - energyToLufs(percentile(RANGE_LOW_SHARE));
}

function meanAboveGates(
  energies: Float64Array,
  relativeGateLu: number,
): { meanEnergy: number | null; gated: Float64Array } {
  const audible = energies.filter((energy) => energy > lufsToEnergy(ABSOLUTE_GATE_LUFS));
  if (audible.length === 0) return { meanEnergy: null, gated: audible };
  const gateEnergy = meanOf(audible) * 10 ** (relativeGateLu / 10);
  const gated = audible.filter((energy) => energy > gateEnergy);
  return { meanEnergy: meanOf(gated), gated };
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
