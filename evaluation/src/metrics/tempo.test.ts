import { describe, expect, it } from 'vitest';
import { tempoAccuracy1, tempoAccuracy2 } from './tempo.ts';

describe('tempo', () => {
  it.each([
    [96, true],
    [95.9, false],
    [104, true],
    [104.1, false],
    [200, false],
  ])('of 100 BPM, estimated as %d, is right within 4 %%: %s', (estimateBpm, isRight) => {
    expect(tempoAccuracy1(100, estimateBpm)).toBe(isRight);
  });

  it.each([
    [90, true],
    [180, true],
    [270, true],
    [45, true],
    [30, true],
    [31, true],
    [32, false],
    [135, false],
    [360, false],
  ])('of 90 BPM, estimated as %d, is right up to a factor of 2 or 3: %s', (estimateBpm, isRight) => {
    expect(tempoAccuracy2(90, estimateBpm)).toBe(isRight);
  });
});
