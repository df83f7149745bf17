/**
 * With which low-pass filter does fpcalc resample to 11,025 Hz? That of FFmpeg's libswresample (resample.c), as Chromaprint sets it.
 *
 * A sinc of 16 periods under a Kaiser window of beta 9, with its cutoff at 0.8 of the output's Nyquist frequency or at the input's, whichever
 * is lower; all phases are normalised by the sum of the first. If the ratio of the rates needs more than 256 phases there are 256, and positions between them are rounded down.
 */

import { besselI0 } from '../signal/kaiser.ts';
import { reduceRates } from '../signal/polyphase.ts';

export const FINGERPRINT_RATE_HZ = 11_025;

const PERIODS = 16;
const CUTOFF_OF_NYQUIST = 0.8;
const KAISER_BETA = 9;
const PHASES_MAX = 256;
/** The kernels multiply whole vectors of eight 16-bit numbers (engine/wasm/assembly/fingerprint.ts). */
const ROW_TAPS_MULTIPLE = 8;

export type FingerprintFilter = {
  up: number;
  down: number;
  tapCount: number;
  /** With the zeros that pad a row to whole vectors. */
  rowTapCount: number;
  /** The tap at the filter's centre in phase 0. */
  centreTap: number;
  rowCount: number;
  /** Row r is the filter for a position r / rowCount of an input sample past its centre. */
  rows: Float64Array;
};

export function designFingerprintFilter(sampleRateHz: number): FingerprintFilter {
  const { up, down } = reduceRates(sampleRateHz, FINGERPRINT_RATE_HZ);
  if (up === down) {
    const rows = new Float64Array(ROW_TAPS_MULTIPLE);
    rows[0] = 1;
    return { up, down, tapCount: 1, rowTapCount: rows.length, centreTap: 0, rowCount: 1, rows };
  }
  const factor = Math.min((FINGERPRINT_RATE_HZ * CUTOFF_OF_NYQUIST) / sampleRateHz, 1);
  const tapCount = 2 * Math.ceil(Math.ceil(PERIODS / factor) / 2);
  const rowTapCount = ROW_TAPS_MULTIPLE * Math.ceil(tapCount / ROW_TAPS_MULTIPLE);
  const centreTap = tapCount / 2 - 1;
  const rowCount = Math.min(up, PHASES_MAX);
  const rows = new Float64Array(rowCount * rowTapCount);
  for (let row = 0; row < rowCount; row++) {
    for (let tap = 0; tap < tapCount; tap++) {
      const offsetSamples = tap - centreTap - row / rowCount;
      const angleRadians = Math.PI * offsetSamples * factor;
      const place = (2 * offsetSamples) / tapCount;
      const sinc = angleRadians === 0 ? 1 : Math.sin(angleRadians) / angleRadians;
      rows[row * rowTapCount + tap] =
        sinc * besselI0(KAISER_BETA * Math.sqrt(Math.max(1 - place * place, 0)));
    }
  }
  const norm = rows.subarray(0, rowTapCount).reduce((sum, value) => sum + value, 0);
  return { up, down, tapCount, rowTapCount, centreTap, rowCount, rows: rows.map((value) => value / norm) };
}

/** Coefficients with 15 fractional bits, rounded from single precision, halves to even. */
export function toIntegerRows(rows: Float64Array): Int16Array {
  return Int16Array.from(rows, (value) =>
    Math.max(-32768, Math.min(32767, roundHalfToEven(Math.fround(value * 32768)))),
  );
}

function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
