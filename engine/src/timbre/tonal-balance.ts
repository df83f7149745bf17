/**
 * How is the energy spread from bass to treble, compared with released music? Tonal balance.
 *
 * The reference is the mean long-term spectrum of commercial recordings: a peak near 100 Hz, from there down 5 dB an octave to
 * 4 kHz, and steeper beyond (Pestana et al., "Spectral Characteristics of Popular Commercial Recordings 1950-2010", AES Convention 135,
 * 2013). The slopes outside that range are read off its figures, to a decibel or two; a deviation within 3 dB says nothing.
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

/** Power density relative to 100 Hz, in dB; straight lines over the logarithm of frequency between these. */
const REFERENCE: readonly (readonly [frequencyHz: number, levelDb: number])[] = [
  [20, -16],
  [50, -4],
  [100, 0],
  [4000, -26.6],
  [8000, -35],
  [16_000, -47],
];
/** Levels are relative to the energy in this range, which every recording fills. */
const WHOLE = { lowHz: 60, highHz: 8000 };
/** The level of an empty band. */
const FLOOR_DB = -120;

/** The mean power density of each band; bands that reach beyond Nyquist are left out. Empty for silence. */
export function measureTonalBalance(spectrum: MeanSpectrum): Timbre['tonalBalance'] {
  const { binHz, powers } = spectrum;
  const nyquistHz = binHz * (powers.length - 1);
  const heard = (lowHz: number, highHz: number): number =>
    meanBetween(lowHz / binHz, highHz / binHz, (bin) => powers[bin] ?? 0);
  const expected = (lowHz: number, highHz: number): number =>
    meanBetween(lowHz / binHz, highHz / binHz, (bin) => 10 ** (referenceDb(bin * binHz) / 10));
  const whole = heard(WHOLE.lowHz, WHOLE.highHz);
  if (whole === 0) return [];
  const wholeExpected = expected(WHOLE.lowHz, WHOLE.highHz);
  return BANDS.filter(({ highHz }) => highHz <= nyquistHz).map(({ band, lowHz, highHz }) => {
    const levelDb = Math.max(FLOOR_DB, 10 * Math.log10(heard(lowHz, highHz) / whole));
    const expectedDb = 10 * Math.log10(expected(lowHz, highHz) / wholeExpected);
    return { band, lowHz, highHz, levelDb, referenceDb: expectedDb, deviationDb: levelDb - expectedDb };
  });
}

/** The mean over at least one bin: at 192 kHz the lowest band is narrower than a bin. */
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
