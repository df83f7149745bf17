import { describe, expect, it } from 'vitest';
import { createBarGrid } from './bar-grid.ts';

const every = (stepSeconds: number, count: number, fromSeconds = 0): number[] =>
  Array.from({ length: count }, (_, i) => fromSeconds + i * stepSeconds);

describe('the bar grid', () => {
  it('runs from the first downbeat to the end', () => {
    expect(createBarGrid(every(0.5, 16), every(2, 4, 0.5), 8.5)).toEqual({
      edgesSeconds: [0.5, 2.5, 4.5, 6.5, 8.5],
      hasMeter: true,
    });
  });

  it('starts no bar at a downbeat just before the end', () => {
    expect(createBarGrid([], every(2, 5), 8.3).edgesSeconds).toEqual([0, 2, 4, 6, 8]);
  });

  it('gives the last bar the median length before a long tail', () => {
    // Bars of 2, 2 and 5 s, whose mean is 3 s.
    expect(createBarGrid([], [0, 2, 4, 9], 30).edgesSeconds).toEqual([0, 2, 4, 9, 11]);
  });

  it('has bars of four beats when there are no downbeats', () => {
    expect(createBarGrid(every(0.5, 12), [], 6).edgesSeconds).toEqual([0, 2, 4, 6]);
  });

  it('has equal slices of about two seconds when there are no beats', () => {
    const { edgesSeconds, hasMeter } = createBarGrid([], [], 9);
    expect(edgesSeconds).toEqual([0, 2.25, 4.5, 6.75, 9]);
    expect(hasMeter).toBe(false);
    expect(createBarGrid([], [], 8).edgesSeconds).toEqual([0, 2, 4, 6, 8]);
  });

  it('has a single bar in a tenth of a second', () => {
    expect(createBarGrid([], [], 0.1).edgesSeconds).toEqual([0, 0.1]);
  });

  it('falls back to the beats when there is a single downbeat', () => {
    expect(createBarGrid(every(0.5, 12), [0.5, 2.5], 6).edgesSeconds).toEqual([0.5, 2.5, 4.5]);
    expect(createBarGrid(every(0.5, 12), [1], 6).edgesSeconds).toEqual([0, 2, 4, 6]);
  });

  it('ignores beats and downbeats at or beyond the end', () => {
    expect(createBarGrid([], every(2, 6), 7).edgesSeconds).toEqual([0, 2, 4, 6, 7]);
    expect(createBarGrid(every(0.5, 16), [], 5).edgesSeconds).toEqual([0, 2, 4, 5]);
    // A second downbeat at the end starts no bar, which leaves a single one.
    expect(createBarGrid([], [0, 4], 4).hasMeter).toBe(false);
    expect(createBarGrid(every(1, 5), [], 4).hasMeter).toBe(false);
    expect(createBarGrid(every(1, 5), [], 3.9).hasMeter).toBe(false);
  });

  it('keeps a last bar of at least three tenths of the median', () => {
    expect(createBarGrid([], every(10, 5), 43).edgesSeconds).toEqual([0, 10, 20, 30, 40, 43]);
    expect(createBarGrid([], every(10, 5), 42.9).edgesSeconds).toEqual([0, 10, 20, 30, 40]);
  });
});
