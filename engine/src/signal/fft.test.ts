import { describe, expect, it } from 'vitest';
import { ParameterError } from '../parameter-error.ts';
import { createHannWindow, createRealFft } from './fft.ts';
import { transformRealTwin } from './fft-twin.ts';
import { createKernels } from './kernels.ts';
import { makeImpulse, makeNoise, makeSine } from './test-signals.ts';

const SIZES = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

function transform(signal: Float32Array, window?: Float32Array): { re: Float32Array; im: Float32Array } {
  const kernels = createKernels();
  const fft = createRealFft(kernels, signal.length);
  const input = kernels.copyFloats(signal);
  fft.transform(input.pointer, window ? kernels.copyFloats(window).pointer : null);
  return { re: fft.re.view.slice(0, fft.binCount), im: fft.im.view.slice(0, fft.binCount) };
}

function signalToErrorDb(actual: Float32Array[], expected: Float64Array[]): number {
  let signal = 0;
  let error = 0;
  expected.forEach((values, part) => {
    values.forEach((value, k) => {
      signal += value ** 2;
      error += (actual[part]![k]! - value) ** 2;
    });
  });
  return 10 * Math.log10(signal / error);
}

describe('the kernel', () => {
  it.each(SIZES)('equals its twin on noise of %d samples', (size) => {
    const noise = makeNoise(size, 1, size);
    const expected = transformRealTwin(noise);
    const { re, im } = transform(noise);
    // Single precision reaches about 138 dB; with one wrong twiddle factor it is about 60.
    expect(signalToErrorDb([re, im], [expected.re, expected.im])).toBeGreaterThan(130);
  });

  it('applies the window before it transforms', () => {
    const noise = makeNoise(256);
    const window = createHannWindow(256);
    const expected = transformRealTwin(noise.map((value, n) => value * window[n]!));
    const { re, im } = transform(noise, window);
    expect(signalToErrorDb([re, im], [expected.re, expected.im])).toBeGreaterThan(130);
  });

  it('gives a flat spectrum for an impulse', () => {
    const { re, im } = transform(makeImpulse(128, 5));
    // Single precision, here and below, relative to sums of up to 1024 samples.
    re.forEach((value, k) => {
      expect(Math.hypot(value, im[k]!)).toBeCloseTo(1, 5);
    });
  });

  it('puts a sine of 10 periods in bin 10', () => {
    const { re, im } = transform(makeSine(512, 10, 512));
    re.forEach((value, k) => {
      expect(Math.hypot(value, im[k]!)).toBeCloseTo(k === 10 ? 256 : 0, 3);
    });
  });

  it('puts a constant in bin 0 and silence nowhere', () => {
    const constant = transform(new Float32Array(64).fill(1));
    constant.re.forEach((value, k) => {
      expect(Math.hypot(value, constant.im[k]!)).toBeCloseTo(k === 0 ? 64 : 0, 4);
    });
    const silence = transform(new Float32Array(64));
    expect([...silence.re, ...silence.im]).toEqual(new Array(2 * 33).fill(0));
  });

  it('keeps the energy (Parseval)', () => {
    const noise = makeNoise(1024);
    const { re, im } = transform(noise);
    const power = re.map((value, k) => (value ** 2 + im[k]! ** 2) * (k === 0 || k === 512 ? 1 : 2));
    const sum = (values: Float32Array): number => values.reduce((total, value) => total + value, 0);
    expect(sum(power) / 1024 / sum(noise.map((value) => value ** 2))).toBeCloseTo(1, 4);
  });
});

describe('the twin', () => {
  it('equals the definition of the transform', () => {
    const noise = makeNoise(16);
    const { re, im } = transformRealTwin(noise);
    for (let k = 0; k <= 8; k++) {
      const angles = noise.map((_, n) => (-2 * Math.PI * k * n) / 16);
      expect(re[k]).toBeCloseTo(
        noise.reduce((sum, value, n) => sum + value * Math.cos(angles[n]!), 0),
        5,
      );
      expect(im[k]).toBeCloseTo(
        noise.reduce((sum, value, n) => sum + value * Math.sin(angles[n]!), 0),
        5,
      );
    }
  });
});

it.each([0, 1, 16, 48, 1000, -64, 2.5, Number.NaN])('refuses a size of %d', (size) => {
  expect(() => createRealFft(createKernels(), size)).toThrow(ParameterError);
});
