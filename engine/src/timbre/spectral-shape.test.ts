import { describe, expect, it } from 'vitest';
import { listMelEdges } from '../signal/band-weights.ts';
import { ANALYSIS_RATE_HZ, MEL_FRAMES } from '../signal/front-end.ts';
import { createKernels } from '../signal/kernels.ts';
import { locateMelBands, measureSpectralShape } from './spectral-shape.ts';

const BANDS = 81;
const { centresHz, widthsHz } = locateMelBands();

/** The shape of frames given by the magnitudes of their bands; `audible` is 1 for the frames that count. */
function measure(
  frames: readonly ((band: number) => number)[],
  audible = frames.map(() => 1),
  stepFrames = 1,
) {
  const data = Float32Array.from({ length: BANDS * frames.length }, (_, i) =>
    frames[Math.floor(i / BANDS)]!(i % BANDS),
  );
  const kernels = createKernels();
  const mel = { frameRateHz: 50, binCount: BANDS, frameCount: frames.length, data };
  const flags = kernels.exports.allocate(audible.length);
  new Uint8Array(kernels.exports.memory.buffer, flags, audible.length).set(audible);
  return measureSpectralShape(kernels, mel, stepFrames, flags);
}
const only =
  (...bands: number[]) =>
  (band: number) =>
    bands.includes(band) ? 1 : 0;

describe('the mel bands', () => {
  it('rise from 30 Hz to 10 kHz, one after the other', () => {
    expect(centresHz[0]).toBeGreaterThan(30);
    expect(centresHz.at(-1)).toBeLessThan(10_000);
    for (let band = 1; band < BANDS; band++) expect(centresHz[band]).toBeGreaterThan(centresHz[band - 1]!);
  });

  it('have the centroid of their triangles, and half the width of their bases', () => {
    const edgesHz = listMelEdges(MEL_FRAMES);
    const binHz = ANALYSIS_RATE_HZ / MEL_FRAMES.fftSize;
    // The lowest triangles are widened (signal/band-weights.ts), and those below band 40 have too few bins for a width.
    for (let band = 20; band < BANDS; band++) {
      const [left, top, right] = edgesHz.slice(band, band + 3) as [number, number, number];
      // The bins sample a triangle.
      expect(Math.abs(centresHz[band]! - (left + top + right) / 3)).toBeLessThan(binHz / 20);
    }
    for (let band = 40; band < BANDS; band++) {
      const [left, top, right] = edgesHz.slice(band, band + 3) as [number, number, number];
      const height = (right - left) / 2 / widthsHz[band]!;
      // The nearest bin misses the top by half a bin at most, which is this share of the shorter side.
      expect(Math.abs(height - 1)).toBeLessThan(binHz / 2 / (top - left));
    }
  });
});

describe('the shape of the spectrum', () => {
  it('of a single steady band has centroid and roll-off at that band, no flux and no flatness', () => {
    const shape = measure([only(40), only(40)])!;
    expect(shape.centroidHz).toBeCloseTo(centresHz[40]!, 9);
    expect(shape.rolloffHz).toBe(centresHz[40]);
    expect(shape.flux).toBe(0);
    // With 80 of 81 bands at the floor of 1e-12, it is 1e-10.
    expect(shape.flatness).toBeLessThan(1e-9);
  });

  it('has its centroid at the mean frequency, bands weighted by their width', () => {
    const { centroidHz } = measure([only(10, 70)])!;
    const [low, high] = [widthsHz[10]!, widthsHz[70]!];
    expect(centroidHz).toBeCloseTo((low * centresHz[10]! + high * centresHz[70]!) / (low + high), 9);
  });

  it('has its roll-off at the band that reaches 85 % of the power', () => {
    // Two bands with the powers p and 1 - p: the roll-off is at the lower one if p is 0.85 or more.
    const powerBelow = (share: number) => (band: number) =>
      band === 20
        ? Math.sqrt(share / widthsHz[20]!)
        : band === 60
          ? Math.sqrt((1 - share) / widthsHz[60]!)
          : 0;
    expect(measure([powerBelow(0.86)])!.rolloffHz).toBe(centresHz[20]);
    expect(measure([powerBelow(0.84)])!.rolloffHz).toBe(centresHz[60]);
  });

  it('has a flatness equal to the geometric mean of the bands over the arithmetic mean', () => {
    // Logarithms have single precision.
    expect(measure([() => 3])!.flatness).toBeCloseTo(1, 6);
    // With a third of the bands at 8 and the others at 1, these are 2 and 10/3.
    expect(measure([(band) => (band % 3 === 0 ? 8 : 1)])!.flatness).toBeCloseTo(0.6, 5);
  });

  it('has a flux equal to the share that is new since the frame before, and 0 for the first frame', () => {
    const half = (band: number) => (band < 2 ? 1 : 0);
    const other = (band: number) => (band === 1 || band === 2 ? 5 : 0);
    // The second frame is all new, the third half new, whatever their levels.
    expect(measure([only(60), half, other])!.flux).toBeCloseTo((0 + 1 + 0.5) / 3, 12);
  });

  it('is the mean over the frames that count', () => {
    const { centroidHz } = measure([only(20), only(40), only(60)], [1, 0, 1])!;
    expect(centroidHz).toBeCloseTo((centresHz[20]! + centresHz[60]!) / 2, 9);
    // More than two windows of the kernels.
    const frames = Array.from({ length: 600 }, (_, frame) => only(frame < 560 ? 20 : 60));
    const late = Array.from({ length: 300 }, (_, index) => Number(index >= 280));
    expect(measure(frames, late, 2)!.centroidHz).toBeCloseTo(centresHz[60]!, 9);
    // With a step of two frames, flux still compares with the previous frame.
    const { flux } = measure([only(20), only(40), only(40)], [1, 1], 2)!;
    expect(flux).toBe(0);
  });

  it('does not depend on the gain', () => {
    const slope = (band: number) => 1 / (1 + band);
    const rise = (band: number) => 1 + band;
    const shape = measure([slope, rise])!;
    const softer = measure([slope, rise].map((magnitude) => (band: number) => magnitude(band) / 1024))!;
    // Magnitudes have a floor of 1e-12.
    for (const name of ['centroidHz', 'rolloffHz', 'flatness', 'flux'] as const) {
      expect(softer[name] / shape[name], name).toBeCloseTo(1, 6);
    }
  });

  it('is null if no frame counts', () => {
    expect(measure([only(20)], [0])).toBeNull();
    expect(measure([])).toBeNull();
  });
});
