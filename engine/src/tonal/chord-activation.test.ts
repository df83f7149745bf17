import { describe, expect, it } from 'vitest';
import { combineActivations, createChordActivation, normaliseLogRow } from './chord-activation.ts';

describe('log-probabilities', () => {
  it('of a row sum to one and keep their differences, and other rows are unchanged', () => {
    const values = Float32Array.of(7, 1, 2, -3, 9);
    normaliseLogRow(values, 1, 3);
    const row = [...values.subarray(1, 4)];
    // Single precision.
    expect(row.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 6);
    expect(row[1]! - row[0]!).toBeCloseTo(1, 5);
    expect(row[1]! - row[2]!).toBeCloseTo(5, 5);
    expect([values[0], values[4]]).toEqual([7, 9]);
  });

  it('are finite for scores whose exponentials overflow', () => {
    const values = Float32Array.of(900, 900);
    normaliseLogRow(values, 0, 2);
    expect([...values]).toEqual([Math.fround(-Math.LN2), Math.fround(-Math.LN2)]);
  });
});

describe('two activations', () => {
  const make = (frameRateHz: number, frameCount: number, value: number) => {
    const activation = createChordActivation(frameRateHz, frameCount, 'classical');
    activation.logProbabilities.fill(value);
    return activation;
  };

  it('combine as the sum of their logarithms, with 0.7 of the templates’', () => {
    const both = combineActivations(make(10, 3, -1), make(10, 3, -2));
    expect(both).toMatchObject({ frameRateHz: 10, frameCount: 3, source: 'learned' });
    expect([...both.logProbabilities]).toEqual(new Array(75).fill(Math.fround(-2.4)));
  });

  it('with different frames are refused', () => {
    expect(() => combineActivations(make(10, 3, 0), make(10, 4, 0))).toThrow('the same frames');
    expect(() => combineActivations(make(10, 3, 0), make(20, 3, 0))).toThrow('the same frames');
  });
});
