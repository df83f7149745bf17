/**
 * Converts the sampling rate of a stream, between any two rates.
 *
 * Output n is the input at time n / outputRateHz, filtered by a symmetric Kaiser low-pass centred on that time, so there is no delay. The
 * input is zero before the first and after the last sample.
 *
 * The pass band ends at 10/11.025 of the lower Nyquist frequency (10 kHz for 22,050 Hz: the top of the mel bands). The stop band begins as
 * far above Nyquist as the pass band ends below it, which halves the number of taps: frequencies in between alias to 10..11 kHz, which no
 * band reads. When converting from rates below 22,050 Hz, or to the taggers' 16,000 Hz, bands do read that range. There, an alias is only
 * 6 dB below its original at Nyquist, and 27 to 31 dB at a twentieth below Nyquist (computed from the coefficients).
 *
 * There are three cases. Equal rates are copied. The ratio 2:1, the most common, uses a half-band filter, half of whose taps are zero and
 * the rest symmetric. All others use a polyphase bank (Crochiere and Rabiner, "Multirate Digital Signal Processing", 1983, section 2.3).
 */

import { ParameterError } from '../parameter-error.ts';
import { createKaiserSinc, kaiserBeta, kaiserLengthSamples } from './kaiser.ts';
import type { FloatRegion, Kernels } from './kernels.ts';
import { createPolyphaseWindow, reduceRates } from './polyphase.ts';

/** The dynamic range of 16 bits. The stop band of the resulting filters measures -94 dB or less. */
const ATTENUATION_DB = 96;
const PASS_BAND_OF_NYQUIST = 10_000 / 11_025;
/**
 * Rows of the polyphase bank. All common rates need fewer (48 kHz: 147). For others, the nearest of these phases is off by at most 1/8192
 * of an input sample, which causes errors 74 to 80 dB below a tone of 10 kHz, and less for lower tones.
 */
const PHASE_ROWS_MAX = 4096;

export type Resampler = {
  /** `push` and `finish` write their samples to the start of it. */
  output: FloatRegion;
  /** Takes samples from that address; returns how many were written to `output`. */
  push(inputPointer: number, sampleCount: number): number;
  /** Writes the end of the signal; returns how many samples were written. The total is ceil(inputs * outputRateHz / inputRateHz). */
  finish(): number;
};

/** No single push may exceed `blockSamplesMax` samples. */
export function createResampler(
  kernels: Kernels,
  inputRateHz: number,
  outputRateHz: number,
  blockSamplesMax: number,
): Resampler {
  checkRate('inputRateHz', inputRateHz);
  checkRate('outputRateHz', outputRateHz);
  if (inputRateHz === 2 * outputRateHz) return createHalfBandDecimator(kernels, blockSamplesMax);
  if (inputRateHz === outputRateHz) return createCopier(kernels, blockSamplesMax);
  return createPolyphaseResampler(kernels, inputRateHz, outputRateHz, blockSamplesMax);
}

function createCopier(kernels: Kernels, blockSamplesMax: number): Resampler {
  const output = kernels.allocateFloats(blockSamplesMax);
  return {
    output,
    push(input, count) {
      output.view.set(new Float32Array(kernels.exports.memory.buffer, input, count));
      return count;
    },
    finish: () => 0,
  };
}

export type PolyphaseBank = {
  up: number;
  down: number;
  tapCount: number;
  rowCount: number;
  /** Rows of `tapCount` coefficients; row r is the filter for phases from r / rowCount on, centred that far after tap tapCount / 2 - 1. */
  rows: Float32Array;
};

/** Designed banks by pair of rates: a process uses only a few, and the taggers resample every patch. */
const bankCache = new Map<string, PolyphaseBank>();
/** Bounded because files may declare any rate, and the bank of an uncommon rate takes megabytes. */
const CACHED_BANKS_MAX = 4;

export function designPolyphaseBank(inputRateHz: number, outputRateHz: number): PolyphaseBank {
  const rates = `${inputRateHz}:${outputRateHz}`;
  const known = bankCache.get(rates);
  if (known) return known;
  const bank = designBank(inputRateHz, outputRateHz);
  if (bankCache.size === CACHED_BANKS_MAX) bankCache.delete(bankCache.keys().next().value!);
  bankCache.set(rates, bank);
  return bank;
}

function designBank(inputRateHz: number, outputRateHz: number): PolyphaseBank {
  const { up, down } = reduceRates(inputRateHz, outputRateHz);
  const cutoffCycles = Math.min(0.5, (0.5 * outputRateHz) / inputRateHz);
  const transitionCycles = 2 * (1 - PASS_BAND_OF_NYQUIST) * cutoffCycles;
  const tapCount = 8 * Math.ceil(kaiserLengthSamples(ATTENUATION_DB, transitionCycles) / 8);
  const lowPass = createKaiserSinc({
    cutoffCycles,
    halfLengthSamples: tapCount / 2,
    beta: kaiserBeta(ATTENUATION_DB),
  });
  const rowCount = Math.min(up, PHASE_ROWS_MAX);
  const rows = new Float32Array(rowCount * tapCount);
  const row = new Float64Array(tapCount);
  // A row that serves several phases is computed for the middle one.
  const offsetRows = rowCount === up ? 0 : 0.5;
  for (let r = 0; r <= rowCount / 2; r++) {
    let sum = 0;
    for (let tap = 0; tap < tapCount; tap++) {
      row[tap] = lowPass(tap - (tapCount / 2 - 1) - (r + offsetRows) / rowCount);
      sum += row[tap]!;
    }
    // The mirrored phase is as far before the next sample as this one is after its own, so its row is the same in reverse.
    const mirrored = rowCount - 2 * offsetRows - r;
    for (let tap = 0; tap < tapCount; tap++) {
      // Each row sums to one, so all phases pass a constant unchanged, without ripple.
      const value = row[tap]! / sum;
      rows[r * tapCount + tap] = value;
      if (mirrored < rowCount) rows[(mirrored + 1) * tapCount - 1 - tap] = value;
    }
  }
  return { up, down, tapCount, rowCount, rows };
}

function createPolyphaseResampler(
  kernels: Kernels,
  inputRateHz: number,
  outputRateHz: number,
  blockSamplesMax: number,
): Resampler {
  const { up, down, tapCount, rowCount, rows } = designPolyphaseBank(inputRateHz, outputRateHz);
  const bank = kernels.copyFloats(rows);
  const held = kernels.allocateFloats(blockSamplesMax + 2 * tapCount + Math.ceil(down / up));
  const output = kernels.allocateFloats(Math.ceil(((blockSamplesMax + tapCount) * up) / down) + 1);
  // Zeros before the signal: tap tapCount / 2 - 1 of the first output is at input sample 0.
  const window = createPolyphaseWindow(tapCount, up, down, tapCount / 2 - 1);
  let inputCount = 0;
  let outputCount = 0;

  const drain = (countMax: number): number => {
    const count = Math.min(window.countReady(), countMax);
    kernels.exports.convolvePolyphase(
      held.pointer,
      bank.pointer,
      tapCount,
      rowCount,
      up,
      down,
      window.start,
      window.phase,
      output.pointer,
      count,
    );
    const end = window.heldCount;
    held.view.copyWithin(0, window.advance(count), end);
    outputCount += count;
    return count;
  };

  return {
    output,
    push(input, count) {
      held.view.set(new Float32Array(kernels.exports.memory.buffer, input, count), window.heldCount);
      window.heldCount += count;
      inputCount += count;
      return drain(Number.POSITIVE_INFINITY);
    },
    finish() {
      const missing = Math.ceil((inputCount * up) / down) - outputCount;
      held.view.fill(0, window.heldCount, window.heldCount + tapCount);
      window.heldCount += tapCount;
      return drain(missing);
    },
  };
}

/** Coefficients at the distances 2P-1, 2P-3, … 1 from the centre (coefficient 0.5); the other side is their mirror image. */
export function designHalfBand(): Float32Array {
  const transitionCycles = 0.5 * (1 - PASS_BAND_OF_NYQUIST);
  const pairs = Math.ceil((kaiserLengthSamples(ATTENUATION_DB, transitionCycles) + 1) / 4);
  const lowPass = createKaiserSinc({
    cutoffCycles: 0.25,
    halfLengthSamples: 2 * pairs,
    beta: kaiserBeta(ATTENUATION_DB),
  });
  const side = Float64Array.from({ length: pairs }, (_, k) => lowPass(2 * (pairs - k) - 1));
  const sum = side.reduce((total, value) => total + value, 0);
  return Float32Array.from(side, (value) => (0.25 * value) / sum);
}

function createHalfBandDecimator(kernels: Kernels, blockSamplesMax: number): Resampler {
  const side = kernels.copyFloats(designHalfBand());
  const pairs = side.length;
  // The filter's own length, and room for the kernels, which take pairs in groups of four.
  const pairCapacity = Math.ceil(blockSamplesMax / 2) + 2 * pairs + 8;
  const held = kernels.allocateFloats(2 * pairCapacity);
  const even = kernels.allocateFloats(pairCapacity);
  const odd = kernels.allocateFloats(pairCapacity);
  const output = kernels.allocateFloats(pairCapacity);
  let heldCount = 2 * pairs;
  let inputCount = 0;
  let outputCount = 0;

  const drain = (countMax: number): number => {
    const pairCount = heldCount >> 1;
    const count = Math.max(0, Math.min(pairCount - (2 * pairs - 1), countMax));
    kernels.exports.splitPairs(held.pointer, even.pointer, odd.pointer, pairCount);
    kernels.exports.decimateHalfBand(
      even.pointer,
      odd.pointer,
      side.pointer,
      pairs,
      pairs,
      output.pointer,
      count,
    );
    held.view.copyWithin(0, 2 * count, heldCount);
    heldCount -= 2 * count;
    outputCount += count;
    return count;
  };

  return {
    output,
    push(input, count) {
      held.view.set(new Float32Array(kernels.exports.memory.buffer, input, count), heldCount);
      heldCount += count;
      inputCount += count;
      return drain(Number.POSITIVE_INFINITY);
    },
    finish() {
      const missing = Math.ceil(inputCount / 2) - outputCount;
      held.view.fill(0, heldCount, heldCount + 2 * pairs);
      heldCount += 2 * pairs;
      return drain(missing);
    },
  };
}

function checkRate(name: string, rateHz: number): void {
  if (!Number.isInteger(rateHz) || rateHz < 1) {
    throw new ParameterError(`${name} must be a positive integer, is ${rateHz}`);
  }
}
