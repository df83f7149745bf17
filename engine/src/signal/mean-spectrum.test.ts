import { describe, expect, it } from 'vitest';
import { createKernels } from './kernels.ts';
import { createMeanSpectrumMeter, type MeanSpectrum } from './mean-spectrum.ts';
import { makeSine } from './test-signals.ts';

const RATE_HZ = 48_000;
const BLOCK_SAMPLES = 4096;
const BIN_HZ = RATE_HZ / BLOCK_SAMPLES;

function measure(signal: Float32Array): MeanSpectrum {
  const kernels = createKernels();
  const meter = createMeanSpectrumMeter(kernels, RATE_HZ);
  const block = kernels.allocateFloats(BLOCK_SAMPLES);
  for (let from = 0; from < signal.length; from += BLOCK_SAMPLES) {
    const piece = signal.subarray(from, from + BLOCK_SAMPLES);
    block.view.set(piece);
    meter.take(block.pointer, piece.length);
  }
  return meter.finish();
}

describe('the mean spectrum', () => {
  it('of a sine of full scale at the centre of a bin is 1 there, a quarter in its neighbours, and 0 elsewhere', () => {
    const { binHz, powers } = measure(makeSine(7 * BLOCK_SAMPLES, 100 * BIN_HZ, RATE_HZ, 1));
    expect(binHz).toBe(BIN_HZ);
    expect(powers).toHaveLength(BLOCK_SAMPLES / 2 + 1);
    // The sine has single precision.
    expect([98, 99, 100, 101, 102].map((bin) => powers[bin]!.toFixed(4))).toEqual([
      '0.0000',
      '0.2500',
      '1.0000',
      '0.2500',
      '0.0000',
    ]);
    expect(powers.reduce((sum, power) => sum + power, 0)).toBeCloseTo(1.5, 4);
  });

  it('of a constant is in the first two bins, and four times that of a sine of the same amplitude', () => {
    // Half the amplitude of a sine is at its negative frequency.
    const { powers } = measure(new Float32Array(BLOCK_SAMPLES).fill(0.5));
    expect(powers[0]).toBeCloseTo(4 * 0.5 ** 2, 5);
    expect(powers[1]).toBeCloseTo(0.5 ** 2, 5);
    expect(powers[2]).toBeCloseTo(0, 5);
  });

  it('averages every third block', () => {
    const signal = new Float32Array(6 * BLOCK_SAMPLES);
    signal.set(makeSine(2 * BLOCK_SAMPLES, 100 * BIN_HZ, RATE_HZ, 1), BLOCK_SAMPLES);
    expect(measure(signal)).toMatchObject({ frameCount: 2, powers: new Float64Array(BLOCK_SAMPLES / 2 + 1) });
    signal.set(makeSine(BLOCK_SAMPLES, 100 * BIN_HZ, RATE_HZ, 1), 3 * BLOCK_SAMPLES);
    expect(measure(signal).powers[100]).toBeCloseTo(1 / 2, 4);
  });

  it.each([0, 1, 4095])('of %d samples has no frame', (count) => {
    const { frameCount, powers } = measure(new Float32Array(count).fill(1));
    expect(frameCount).toBe(0);
    expect(powers.every((power) => power === 0)).toBe(true);
  });
});
