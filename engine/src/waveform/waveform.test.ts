import { describe, expect, it } from 'vitest';
import type { Waveform } from '../result.ts';
import { createKernels } from '../signal/kernels.ts';
import { cutRandomly, makeImpulse, makeNoise, makeSine } from '../signal/test-signals.ts';
import { createWaveformCollector } from './waveform.ts';

const RATE_HZ = 44_100;

function draw(signal: Float32Array, longestBlockSamples = 4096): Waveform {
  return drawPieces(cutRandomly(signal, longestBlockSamples));
}

function drawPieces(pieces: Iterable<Float32Array>, rateHz = RATE_HZ): Waveform {
  const kernels = createKernels();
  const collector = createWaveformCollector(kernels, rateHz);
  const block = kernels.allocateFloats(4096);
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    block.view.set(piece);
    collector.take(block.pointer, piece.length);
  }
  return collector.finish();
}

/** A periodic signal of this many samples, in blocks of nine periods. */
function* repeatTo(period: Float32Array, sampleCount: number): Generator<Float32Array> {
  const block = Float32Array.from({ length: 9 * period.length }, (_, n) => period[n % period.length]!);
  for (let left = sampleCount; left > 0; left -= block.length) yield block.subarray(0, left);
}

describe('zoom levels', () => {
  it('hold the extremes of each pixel, the last of which may be shorter', () => {
    const noise = makeNoise(5000);
    const { levels } = draw(noise);
    expect(levels.map(({ samplesPerPixel, length }) => [samplesPerPixel, length])).toEqual([
      [1024, 5],
      [4096, 2],
      [16384, 1],
    ]);
    for (const { samplesPerPixel, length, data } of levels) {
      for (let pixel = 0; pixel < length; pixel++) {
        const part = noise.subarray(pixel * samplesPerPixel, (pixel + 1) * samplesPerPixel);
        // Truncation towards zero loses less than one step of 8 bits, 1/128; samples are rounded to 16 bits before, by 1.5e-5 at most.
        for (const lost of [
          data[2 * pixel]! / 128 - Math.min(...part),
          Math.max(...part) - data[2 * pixel + 1]! / 128,
        ]) {
          expect(lost).toBeGreaterThanOrEqual(-2e-5);
          expect(lost).toBeLessThan(1 / 128 + 2e-5);
        }
      }
    }
  });

  it("have the header of audiowaveform's format", () => {
    const { levels } = drawPieces([makeNoise(100)], 48_000);
    const header = { version: 2, channels: 1, sampleRate: 48_000, bits: 8 };
    expect(levels).toMatchObject([header, header, header]);
  });

  it('do not depend on where the blocks end', () => {
    const noise = makeNoise(9000);
    expect(draw(noise, 77)).toEqual(draw(noise));
  });

  it.each([
    [8_000, 256],
    [22_050, 512],
    [48_000, 1024],
    [96_000, 2048],
    [192_000, 4096],
    [1, 1],
  ])('have pixels of about 23 ms: at %d Hz %d samples', (rateHz, samplesPerPixel) => {
    expect(drawPieces([makeNoise(100)], rateHz).levels[0]!.samplesPerPixel).toBe(samplesPerPixel);
  });

  it('have pixels twice as long when a file has 32,768', () => {
    // 441 samples are one period of 100 Hz.
    const period = makeSine(441, 100, RATE_HZ, 0.9);
    const { levels } = drawPieces(repeatTo(period, 1024 * 32_768));
    expect(levels.map(({ samplesPerPixel }) => samplesPerPixel)).toEqual([2048, 8192, 32768]);
    expect(levels[0]!.length).toBe(16_384);
    expect(levels[0]!.data).toHaveLength(2 * 16_384);
    expect(levels[0]!.data[2000]).toBe(-115);
    expect(levels[0]!.data[2001]).toBe(115);
  });
});

describe('plain signals', () => {
  it('such as no samples, one sample, silence and a constant have exact pixels', () => {
    expect(draw(new Float32Array(0)).levels.map(({ data }) => data)).toEqual([[], [], []]);
    expect(draw(Float32Array.of(0.5)).levels[0]!.data).toEqual([64, 64]);
    expect(draw(new Float32Array(1024)).levels[0]!.data).toEqual([0, 0]);
    // 0 and -0 are not equal here.
    expect(draw(Float32Array.of(-0.001)).levels[0]!.data).toEqual([0, 0]);
    expect(draw(new Float32Array(1024).fill(-1)).levels[0]!.data).toEqual([-128, -128]);
  });

  it('are clipped at full scale, like this impulse in the second pixel', () => {
    expect(draw(makeImpulse(3072, 1400, 3)).levels[0]!.data).toEqual([0, 0, 0, 127, 0, 0]);
  });
});
