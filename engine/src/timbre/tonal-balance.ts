/**
 * How is the energy distributed from bass to treble, compared with released music? Tonal balance.
 *
 * The reference is the mean long-term spectrum of commercial recordings: it peaks near 100 Hz and falls by 5 dB per octave up to 4 kHz, and faster
 * beyond (Pestana et al., "Spectral Characteristics of Popular Commercial Recordings 1950-2010", AES Convention 135, 2013). The values outside that range
 * are read from its figures to a decibel or two, so a deviation of less than 3 dB means nothing.
 */

import type { Timbre } from '../result.ts';
import type { MeanSpectrum } from '../signal/mean-spectrum.ts';

const BANDS = [
  { band: 'sub', lowHz: 20, highHz: 60 },
  { band: 'bass', lowHz: 60, highHz: 250 },
  { band: 'low_mid', lowHz: 250, highHz: 500 },
  { band: 'mid', lowHz: 500, highHz: 2000 },
  { band: 'high_mid', lowHz: 2000, highHz: 4000 },
  { band: 'presence', lowHz: 4000, highHz: 8000 },
  { band: 'air', lowHz: 8000, highHz: 16_000 },
];

/** Power density relative to that at 100 Hz; in between, it is linear over the logarithm of frequency. */
const REFERENCE: readonly (readonly [frequencyHz: number, levelDb: number])[] = [
  [20, -16],
  [50, -4],
  [100, 0],
  [4000, -26.6],
  [8000, -35],
  [16_000, -47],
];
/** Levels are relative to the mean density in this range, in which every recording has energy. */
const FULL_RANGE = { lowHz: 60, highHz: 8000 };
/** The lowest level, because an empty band has no logarithm. */
const FLOOR_DB = -120;

/** The level of each band that does not extend beyond Nyquist. Empty for silence. */
export function measureTonalBalance(spectrum: MeanSpectrum): Timbre['tonalBalance'] {
  const { binHz, powers } = spectrum;
  const nyquistHz = binHz * (powers.length - 1);
  const measured = (lowHz: number, highHz: number): number =>
    meanBetween(lowHz / binHz, highHz / binHz, (bin) => powers[bin] ?? 0);
  const expected = (lowHz: number, highHz: number): number =>
    meanBetween(lowHz / binHz, highHz / binHz, (bin) => 10 ** (referenceDb(bin * binHz) / 10));
  const fullRangePower = measured(FULL_RANGE.lowHz, FULL_RANGE.highHz);
  if (fullRangePower === 0) return [];
  const expectedFullRangePower = expected(FULL_RANGE.lowHz, FULL_RANGE.highHz);
  return BANDS.filter(({ highHz }) => highHz <= nyquistHz).map(({ band, lowHz, highHz }) => {
    const levelDb = Math.max(FLOOR_DB, 10 * Math.log10(measured(lowHz, highHz) / fullRangePower));
    const expectedDb = 10 * Math.log10(expected(lowHz, highHz) / expectedFullRangePower);
    return { band, lowHz, highHz, levelDb, referenceDb: expectedDb, deviationDb: levelDb - expectedDb };
  });
}

/** The mean over at least one bin: at 192 kHz the lowest band is narrower than a bin. Bin 0 holds the DC offset and is skipped. */
function meanBetween(lowBin: number, highBin: number, powerAt: (bin: number) => number): number {
  const first = Math.max(1, Math.round(lowBin));
  const end = Math.max(first + 1, Math.round(highBin));
  let sum = 0;
  for (let bin = first; bin < end; bin++) sum += powerAt(bin);
  return sum / (end - first);
}

function referenceDb(frequencyHz: number): number {
  const next = REFERENCE.findIndex(([knotHz]) => knotHz >= frequencyHz);
  if (next === -1) return REFERENCE.at(-1)![1];
  if (next === 0) return REFERENCE[0]![1];
  const [lowHz, lowDb] = REFERENCE[next - 1]!;
  const [highHz, highDb] = REFERENCE[next]!;
  return lowDb + ((highDb - lowDb) * Math.log(frequencyHz / lowHz)) / Math.log(highHz / lowHz);
}
