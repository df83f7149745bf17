import { describe, expect, it } from 'vitest';
import { createMelBands, createPitchBands, loadBandTable } from './band-weights.ts';
import { sumBandsTwin } from './band-weights-twin.ts';
import { createKernels } from './kernels.ts';
import { makeNoise } from './test-signals.ts';

const mel = createMelBands({ bandCount: 81, lowHz: 30, highHz: 10_000, fftSize: 1024, sampleRateHz: 22_050 });
const pitch = createPitchBands({
  bandCount: 144,
  lowHz: 65.406,
  bandsPerOctave: 24,
  fftSize: 8192,
  sampleRateHz: 22_050,
});

describe.each([
  ['mel', mel, 513],
  ['pitch', pitch, 4097],
])('%s bands', (_, rows, binCount) => {
  it('have weights that sum to one, so a flat spectrum gives equal bands', () => {
    const flat = new Float32Array(binCount).fill(0.5);
    // Every band has at least one bin; the floor in the divisor is below 1e-8.
    for (const value of sumBandsTwin(flat, rows)) expect(value).toBeCloseTo(0.5, 6);
  });

  it('are summed by the kernel like by its twin', () => {
    const kernels = createKernels();
    const table = loadBandTable(kernels, rows);
    // The kernel reads whole groups of four bins, up to three past the last one.
    const spectrum = kernels.allocateFloats(binCount + 4);
    spectrum.view.set(makeNoise(binCount).map(Math.abs));
    const out = kernels.allocateFloats(rows.length);
    kernels.exports.sumBands(spectrum.pointer, table.bands, table.count, table.weights, out.pointer);
    const expected = sumBandsTwin(spectrum.view, rows);
    // Single precision over a few dozen positive terms: relative error below 1e-6.
    for (const [band, value] of out.view.entries()) {
      expect(Math.abs(value - expected[band]!)).toBeLessThan(1e-6);
    }
  });
});
