import { describe, expect, it } from 'vitest';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { describeFrames, STABILITY_FRAMES } from './frame-features.ts';

const PITCH_BANDS = 50;

const matrixOf = (frameRateHz: number, rows: readonly (readonly number[])[]): FrameMatrix => ({
  frameRateHz,
  binCount: rows[0]!.length,
  frameCount: rows.length,
  data: Float32Array.from(rows.flat()),
});
/** Pitch bands of 10 at these indices, and of 1 elsewhere. */
const raise = (...bands: number[]) =>
  Array.from({ length: PITCH_BANDS }, (_, band) => (bands.includes(band) ? 10 : 1));

const describeMel = (...rows: number[][]) => describeFrames(matrixOf(50, rows), matrixOf(10, [raise()]));
const describePitch = (...rows: number[][]) =>
  describeFrames(matrixOf(50, [[1, 1, 1, 1]]), matrixOf(10, rows));

describe('mel frames', () => {
  it('have an energy, and a centroid as a share of the bands', () => {
    const { energies, centroids } = describeMel([0, 0, 2, 0], [3, 0, 0, 3]);
    expect([...energies]).toEqual([4, 18]);
    expect(centroids[0]).toBeCloseTo(2 / 4, 6);
    expect(centroids[1]).toBeCloseTo(1.5 / 4, 6);
  });

  it('have as flatness the logarithm of the geometric mean over the arithmetic one', () => {
    const { flatnesses } = describeMel([5, 5, 5, 5], [1, 1, 4, 4]);
    expect(flatnesses[0]).toBeCloseTo(0, 6);
    expect(flatnesses[1]).toBeCloseTo(Math.log(2 / 2.5), 6);
  });

  it('have as flux the share of the spectrum that rose since the frame before, 0 for the first', () => {
    const { fluxes } = describeMel([1, 1, 0, 0], [8, 8, 0, 0], [0, 2, 2, 0], [0, 0, 0, 7]);
    expect([...fluxes].map((flux) => Number(flux.toFixed(6)))).toEqual([0, 0, 0.5, 1]);
  });
});

describe('pitch frames', () => {
  it('are compared with the frame 0.3 s before by their peaks', () => {
    const rows = [raise(5), raise(5), raise(5), raise(5), raise(5, 40), raise(40)];
    const { pitchSimilarities } = describePitch(...rows);
    expect([...pitchSimilarities.subarray(0, STABILITY_FRAMES)]).toEqual([0, 0, 0]);
    // Frames with the same peak, with one of two equal peaks in common, and with none.
    expect(pitchSimilarities[3]).toBeCloseTo(1, 9);
    // A peak's square is its excess over 1.5 times the mean of the octave around it, of which the matrix cuts off a part.
    const [first, second] = [10 - (1.5 * (10 + 17)) / 18, 10 - (1.5 * (10 + 21)) / 22];
    expect(pitchSimilarities[4]).toBeCloseTo(Math.sqrt(first / (first + second)), 9);
    expect(pitchSimilarities[5]).toBe(0);
  });

  it('have as contrast the mean of the strongest tenth of the bands over the mean of all, as a logarithm', () => {
    const { pitchContrasts } = describePitch(raise(), raise(1, 11, 21, 31, 41));
    expect(pitchContrasts[0]).toBeCloseTo(0, 6);
    expect(pitchContrasts[1]).toBeCloseTo(Math.log(10 / 1.9), 6);
  });
});
