import { describe, expect, it } from 'vitest';
import { ParameterError } from '../parameter-error.ts';
import { createKernels } from './kernels.ts';
import { createResampler, designPolyphaseBank } from './resample.ts';
import { resampleTwin } from './resample-twin.ts';
import { cutRandomly, makeNoise, makeSine } from './test-signals.ts';

const OUT_HZ = 22_050;
const BLOCK_SAMPLES_MAX = 1024;
/** The common rates, lower and higher than the output, and an uncommon one that needs more phases than the bank has rows. */
const RATES_HZ = [8_000, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000, 44_056];

function resample(signal: Float32Array, rateHz: number, blockSamplesMax = BLOCK_SAMPLES_MAX): Float32Array {
  const kernels = createKernels();
  const resampler = createResampler(kernels, rateHz, OUT_HZ, BLOCK_SAMPLES_MAX);
  const block = kernels.allocateFloats(BLOCK_SAMPLES_MAX);
  const out: number[] = [];
  for (const piece of cutRandomly(signal, blockSamplesMax)) {
    block.view.set(piece);
    out.push(...resampler.output.view.subarray(0, resampler.push(block.pointer, piece.length)));
  }
  out.push(...resampler.output.view.subarray(0, resampler.finish()));
  return Float32Array.from(out);
}

/** Amplitude of the best-fitting sine in the middle of the signal, in dB relative to full scale. */
function amplitudeDbfs(signal: Float32Array, frequencyHz: number): number {
  const first = Math.floor(signal.length * 0.2);
  const count = Math.floor(signal.length * 0.6);
  let cos = 0;
  let sin = 0;
  let weight = 0;
  for (let n = 0; n < count; n++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / count);
    const angle = (2 * Math.PI * frequencyHz * (first + n)) / OUT_HZ;
    cos += window * signal[first + n]! * Math.cos(angle);
    sin += window * signal[first + n]! * Math.sin(angle);
    weight += window;
  }
  return 20 * Math.log10((2 * Math.hypot(cos, sin)) / weight);
}

/** Largest absolute value, or NaN. (An expectation per sample would take a hundred times as long as the kernel.) */
const largest = (differences: Float32Array): number =>
  differences.reduce(
    (most, value) => (Math.abs(value) > most || Number.isNaN(value) ? Math.abs(value) : most),
    0,
  );

const rmsDb = (signal: Float32Array): number =>
  10 * Math.log10(signal.reduce((sum, value) => sum + value ** 2, 0) / signal.length + 1e-30);

describe.each(RATES_HZ.filter((rateHz) => rateHz !== OUT_HZ))('from %d Hz', (rateHz) => {
  it('equals its twin on noise', () => {
    const noise = makeNoise(5000, 0.5, rateHz);
    const expected = resampleTwin(noise, rateHz, OUT_HZ);
    const actual = resample(noise, rateHz);
    expect(actual.length).toBe(expected.length);
    // Single precision over about two hundred taps.
    expect(largest(actual.map((value, n) => value - expected[n]!))).toBeLessThan(2e-6);
  });

  it('does not depend on where the blocks end', () => {
    const noise = makeNoise(3000, 0.5, 3);
    const [small, large] = [resample(noise, rateHz, 37), resample(noise, rateHz)];
    expect(small.length).toBe(large.length);
    expect(largest(small.map((value, n) => value - large[n]!))).toBe(0);
  });

  it('passes the pass band within 0.1 dB', () => {
    const highestHz = Math.min(10_000, (10_000 / 11_025) * (rateHz / 2));
    for (const frequencyHz of [30, 1000, 0.7 * highestHz, highestHz]) {
      const sine = makeSine(rateHz / 2, frequencyHz, rateHz, 0.5);
      expect(
        Math.abs(amplitudeDbfs(resample(sine, rateHz), frequencyHz) - 20 * Math.log10(0.5)),
      ).toBeLessThan(0.1);
    }
  });

  it('keeps a sine in phase', () => {
    const frequencyHz = 997;
    const out = resample(makeSine(rateHz / 4, frequencyHz, rateHz), rateHz);
    const expected = makeSine(out.length, frequencyHz, OUT_HZ);
    const middle = out.map((value, n) => value - expected[n]!).subarray(500, out.length - 500);
    // The uncommon rate uses the nearest of 4096 phases (PHASE_ROWS_MAX), whose error is lower at 997 Hz than at 10 kHz.
    expect(rmsDb(middle)).toBeLessThan(-85);
  });

  it('keeps a constant', () => {
    const out = resample(new Float32Array(4000).fill(0.25), rateHz);
    const margin = Math.floor(out.length / 3);
    // The coefficients of a phase sum to one, each rounded to single precision.
    expect(largest(out.subarray(margin, -margin).map((value) => value - 0.25))).toBeLessThan(5e-7);
  });
});

it.each([44_100, 48_000, 96_000])(
  'suppresses frequencies that would alias to below 10 kHz, from %d Hz',
  (rateHz) => {
    for (const frequencyHz of [12_050, 13_000, 16_000, 20_000]) {
      const out = resample(makeSine(rateHz / 2, frequencyHz, rateHz), rateHz);
      // The filters are designed for 96 dB, less rounding, and the sine has an RMS of -3 dB.
      expect(rmsDb(out.subarray(500, out.length - 500))).toBeLessThan(-90);
    }
  },
);

it('uses the nearest of 4,096 phases at an uncommon rate', () => {
  const [rateHz, frequencyHz] = [44_056, 9_000];
  const out = resample(makeSine(rateHz, frequencyHz, rateHz), rateHz);
  const expected = makeSine(out.length, frequencyHz, OUT_HZ);
  const middle = out.map((value, n) => value - expected[n]!).subarray(500, out.length - 500);
  // The distance from the phase is spread evenly over 1/8192 of a sample to either side; the sine has an RMS of -3 dB.
  const offsetRadians = (2 * Math.PI * frequencyHz) / rateHz / 8192;
  const expectedDb = 10 * Math.log10(offsetRadians ** 2 / 3 / 2);
  // Half a decibel for the pass band's ripple: with half as many phases, or their edges, the error is 6 dB larger.
  expect(Math.abs(rmsDb(middle) - expectedDb)).toBeLessThan(0.5);
});

it('designs a bank per pair of rates, once, and again after four other pairs', () => {
  const bank = designPolyphaseBank(48_000, OUT_HZ);
  expect(designPolyphaseBank(48_000, OUT_HZ)).toBe(bank);
  expect(designPolyphaseBank(48_000, 16_000)).toMatchObject({ up: 1, down: 3 });
  expect(designPolyphaseBank(32_000, OUT_HZ)).toMatchObject({ up: 441, down: 640 });
  designPolyphaseBank(8_000, OUT_HZ);
  expect(designPolyphaseBank(48_000, OUT_HZ)).toBe(bank);
  designPolyphaseBank(96_000, OUT_HZ);
  expect(designPolyphaseBank(48_000, OUT_HZ)).not.toBe(bank);
  expect(designPolyphaseBank(48_000, OUT_HZ)).toEqual(bank);
});

it('gives ceil(inputs * output rate / input rate) samples', () => {
  expect(resample(new Float32Array(0), 44_100)).toHaveLength(0);
  expect(resample(new Float32Array(1), 44_100)).toHaveLength(1);
  expect(resample(new Float32Array(44_101), 44_100)).toHaveLength(22_051);
  expect(resample(new Float32Array(48_000), 48_000)).toHaveLength(22_050);
  expect(resample(new Float32Array(1), 8_000)).toHaveLength(3);
  expect(resample(makeNoise(100), 22_050)).toEqual(makeNoise(100));
});

it.each([0, -44_100, 44_100.5, Number.NaN])('refuses a rate of %d', (rateHz) => {
  expect(() => createResampler(createKernels(), rateHz, OUT_HZ, BLOCK_SAMPLES_MAX)).toThrow(ParameterError);
  expect(() => createResampler(createKernels(), OUT_HZ, rateHz, BLOCK_SAMPLES_MAX)).toThrow(ParameterError);
});
