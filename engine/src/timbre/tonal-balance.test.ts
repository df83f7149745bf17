import { describe, expect, it } from 'vitest';
import { measureTonalBalance } from './tonal-balance.ts';

const FFT_SIZE = 4096;

const balanceOf = (sampleRateHz: number, power: number) =>
  measureTonalBalance({
    binHz: sampleRateHz / FFT_SIZE,
    frameCount: 1,
    powers: new Float64Array(FFT_SIZE / 2 + 1).fill(power),
  });

describe('the tonal balance of a flat spectrum', () => {
  it.each([
    [8000, 5],
    [16_000, 6],
    [44_100, 7],
    [96_000, 7],
    [192_000, 7],
    [384_000, 7],
  ])('at %i Hz has %i bands, as loud as the whole, against one reference', (sampleRateHz, bandCount) => {
    const balance = balanceOf(sampleRateHz, 0.1);
    const usual = balanceOf(44_100, 0.1);
    expect(balance).toHaveLength(bandCount);
    for (const [index, { band, levelDb, referenceDb }] of balance.entries()) {
      // At 8 kHz the upper half of the whole is empty: 3 dB.
      expect(levelDb, band).toBeCloseTo(sampleRateHz === 8000 ? 10 * Math.log10(7940 / 3940) : 0, 1);
      // The bins of the highest rates are coarse: one of 47 or 94 Hz stands for all below 60 Hz.
      expect(Math.abs(referenceDb - usual[index]!.referenceDb), band).toBeLessThan(6);
    }
  });

  it('is empty in silence', () => {
    expect(balanceOf(44_100, 0)).toEqual([]);
  });
});
