import { describe, expect, it } from 'vitest';
import { measureTonalBalance } from './tonal-balance.ts';

const FFT_SIZE = 4096;

const balanceOf = (sampleRateHz: number, power: number) =>
  measureTonalBalance({
    binHz: sampleRateHz / FFT_SIZE,
    frameCount: 1,
    powers: new Float64Array(FFT_SIZE / 2 + 1).fill(power),
  });

describe('the tonal balance', () => {
  it.each([
    [8000, 5],
    [16_000, 6],
    [44_100, 7],
    [96_000, 7],
    [192_000, 7],
    [384_000, 7],
  ])('of a flat spectrum at %i Hz has %i bands as loud as the whole', (sampleRateHz, bandCount) => {
    const balance = balanceOf(sampleRateHz, 0.1);
    const usual = balanceOf(44_100, 0.1);
    expect(balance).toHaveLength(bandCount);
    for (const [index, { band, levelDb, referenceDb, deviationDb }] of balance.entries()) {
      expect(deviationDb, band).toBe(levelDb - referenceDb);
      // Bands are rounded to whole bins. At 8 kHz the upper half of the reference range, 60 Hz to 8 kHz, is empty.
      expect(levelDb, band).toBeCloseTo(sampleRateHz === 8000 ? 10 * Math.log10(7940 / 3940) : 0, 1);
      // At the highest rates the bins are coarse: a single one, at 47 or 94 Hz, represents 20 to 60 Hz, over which the reference rises by 13 dB.
      expect(Math.abs(referenceDb - usual[index]!.referenceDb), band).toBeLessThan(6);
    }
  });

  it('deviates equally in all bands in which a spectrum has the slope of released music', () => {
    const binHz = 44_100 / FFT_SIZE;
    // From 100 Hz to 4 kHz the reference falls by 26.6 dB, evenly over the logarithm of frequency.
    const powers = Float64Array.from({ length: FFT_SIZE / 2 + 1 }, (_, bin) =>
      bin === 0 ? 0 : 10 ** ((-2.66 * Math.log((bin * binHz) / 100)) / Math.log(40)),
    );
    const balance = measureTonalBalance({ binHz, frameCount: 1, powers });
    const deviations = new Map(balance.map(({ band, deviationDb }) => [band, deviationDb]));
    const offsetDb = deviations.get('mid')!;
    // Outside that range the spectrum differs from the reference, which shifts the deviation of all bands equally.
    for (const band of ['low_mid', 'high_mid']) expect(deviations.get(band)).toBeCloseTo(offsetDb, 9);
  });

  it('has a level of -120 dB in an empty band', () => {
    const binHz = 44_100 / FFT_SIZE;
    const powers = Float64Array.from({ length: FFT_SIZE / 2 + 1 }, (_, bin) => (bin * binHz < 7900 ? 1 : 0));
    expect(measureTonalBalance({ binHz, frameCount: 1, powers }).at(-1)!.levelDb).toBe(-120);
  });

  it('is empty in silence', () => {
    expect(balanceOf(44_100, 0)).toEqual([]);
  });
});
