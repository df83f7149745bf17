import { describe, expect, it } from 'vitest';
import { makeImpulse, makeNoise, makeSine } from '../signal/test-signals.ts';
import { meterSignal } from './test-meter-signals.ts';

const RATE_HZ = 48_000;
const RATES_HZ = [44_100, 48_000];

type Tone = { levelDbfs: number; seconds: number };

/** A 1 kHz sine at the level of each tone in turn, with continuous phase; -Infinity is silence. */
function makeTones(tones: Tone[], rateHz = RATE_HZ): Float32Array {
  const lengths = tones.map(({ seconds }) => Math.round(seconds * rateHz));
  const signal = new Float32Array(lengths.reduce((sum, length) => sum + length, 0));
  // A tenth of a second holds whole periods at every rate here, and repeating it is faster than computing minutes of sines.
  const waves = makeSine(rateHz / 10, 1000, rateHz);
  let at = 0;
  tones.forEach(({ levelDbfs }, index) => {
    const amplitude = 10 ** (levelDbfs / 20);
    for (const end = at + lengths[index]!; at < end; at++) signal[at] = amplitude * waves[at % waves.length]!;
  });
  return signal;
}

const tone = (levelDbfs: number, seconds: number): Tone => ({ levelDbfs, seconds });
const silence = (seconds: number): Tone => tone(Number.NEGATIVE_INFINITY, seconds);
const meterStereo = (tones: Tone[], rateHz = RATE_HZ) => {
  const channel = makeTones(tones, rateHz);
  return meterSignal([channel, channel], rateHz).loudness;
};

/** 0.1 LU is the EBU's own tolerance for all these cases. */
const expectWithin = (value: number | null, expected: number, toleranceLu = 0.1): void => {
  expect(value).not.toBeNull();
  expect(Math.abs(value! - expected)).toBeLessThanOrEqual(toleranceLu);
};

/** The EBU's own tolerance. */
const expectTruePeak = (truePeakDbtp: number | null, expectedDbtp: number): void => {
  expect(truePeakDbtp! - expectedDbtp).toBeLessThanOrEqual(0.2);
  expect(truePeakDbtp! - expectedDbtp).toBeGreaterThanOrEqual(-0.4);
};

/** The fade at either end of the signals with a known true peak: 10 ms. */
const FADE_SAMPLES = 480;
const fadeAt = (n: number): number => Math.min(1, n / FADE_SAMPLES, (RATE_HZ - 1 - n) / FADE_SAMPLES);

/** Cases 7 and 8 are recordings and cannot be synthesised. */
describe.each(RATES_HZ)('EBU Tech 3341 at %d Hz', (rateHz) => {
  it.each([
    [1, -23],
    [2, -33],
  ])('case %d: a steady tone reads the same on all three scales', (_, levelDbfs) => {
    const loudness = meterStereo([tone(levelDbfs, 20)], rateHz);
    expectWithin(loudness.integratedLufs, levelDbfs);
    expectWithin(loudness.momentaryMaxLufs, levelDbfs);
    expectWithin(loudness.shortTermMaxLufs, levelDbfs);
  });

  it('case 3: the relative gate ignores the quiet ends', () => {
    expectWithin(meterStereo([tone(-36, 10), tone(-23, 60), tone(-36, 10)], rateHz).integratedLufs, -23);
  });

  it('case 4: the absolute gate ignores what is below -70', () => {
    const tones = [tone(-72, 10), tone(-36, 10), tone(-23, 60), tone(-36, 10), tone(-72, 10)];
    expectWithin(meterStereo(tones, rateHz).integratedLufs, -23);
  });

  it('case 5: blocks above the gate are averaged as energy', () => {
    expectWithin(meterStereo([tone(-26, 20), tone(-20, 20.1), tone(-26, 20)], rateHz).integratedLufs, -23);
  });

  it('case 6: surround channels weigh more', () => {
    const channels = [-28, -28, -24, -30, -30].map((levelDbfs) => makeTones([tone(levelDbfs, 20)], rateHz));
    expectWithin(meterSignal(channels, rateHz).loudness.integratedLufs, -23);
  });

  it('case 9: short-term is steady over a rhythm of three seconds', () => {
    const tones = Array.from({ length: 5 }, () => [tone(-20, 1.34), tone(-30, 1.66)]).flat();
    const loudness = meterStereo(tones, rateHz);
    // A value every half second, in the middle of its three seconds: from 1.5 s to 13.5 s.
    expect(loudness.shortTerm.values).toHaveLength(25);
    for (const value of loudness.shortTerm.values) expectWithin(value, -23);
  });

  it('case 12: momentary is steady over a rhythm of 400 ms', () => {
    const tones = Array.from({ length: 25 }, () => [tone(-20, 0.18), tone(-30, 0.22)]).flat();
    const loudness = meterStereo(tones, rateHz);
    // A value every half second, the last at 9.5 s. The EBU lets a meter settle for a second; this one waits for its first full window.
    expect(loudness.momentary.values).toHaveLength(20);
    for (const value of loudness.momentary.values) expectWithin(value, -23);
  });
});

describe('EBU Tech 3341 at 48 kHz, bursts', () => {
  it.each(Array.from({ length: 20 }, (_, i) => i))('case 10, start %d x 150 ms', (i) => {
    expectWithin(meterStereo([silence(i * 0.15), tone(-23, 3), silence(1)]).shortTermMaxLufs, -23);
  });

  it.each(Array.from({ length: 20 }, (_, i) => i))('case 13, start %d x 20 ms', (i) => {
    expectWithin(meterStereo([silence(i * 0.02), tone(-23, 0.4), silence(1)]).momentaryMaxLufs, -23);
  });

  // In the document a live meter is read after each burst; this meter is read at the end, so the signal ends with the burst.
  it.each([0, 7, 13, 19])('cases 11 and 14, after burst %d of a rising series', (last) => {
    const bursts = Array.from({ length: last + 1 }, (_, i) => i);
    const threeSeconds = bursts.flatMap((i) => [silence(i * 0.15), tone(i - 38, 3), silence(3 - i * 0.15)]);
    expectWithin(meterStereo(threeSeconds).shortTermMaxLufs, last - 38);
    const short = bursts.flatMap((i) => [silence(i * 0.02), tone(i - 38, 0.4), silence(0.4 - i * 0.02)]);
    expectWithin(meterStereo(short).momentaryMaxLufs, last - 38);
  });

  it.each([
    [15, 4, 0, 0.5, -6],
    [16, 4, 45, 0.5, -6],
    [17, 6, 60, 0.5, -6],
    [18, 8, 67.5, 0.5, -6],
    [19, 4, 45, 1.41, 3],
  ])(
    'case %d: true peak of a sine of rate/%d at %d degrees',
    (_, divisor, degrees, amplitude, expectedDbtp) => {
      // As in the document, the signals fade in and out, because a sine that starts abruptly overshoots its amplitude.
      const sine = makeSine(RATE_HZ, RATE_HZ / divisor, RATE_HZ, amplitude, (degrees * Math.PI) / 180);
      const faded = sine.map((value, n) => value * fadeAt(n));
      expectTruePeak(meterSignal([faded, faded], RATE_HZ).loudness.truePeakDbtp, expectedDbtp);
    },
  );
});

describe('EBU Tech 3341 at 48 kHz, one full crest in a tone of half scale', () => {
  // The document renders these at four times the rate and decimates them with a filter it does not specify. Here the tone swells so slowly
  // (over four periods) that nothing reaches Nyquist, and its samples at any offset are exact without a filter.
  it.each([
    [20, 0],
    [21, 1],
    [22, 2],
    [23, 3],
  ])('case %d: the crest is %d quarters of a sample after a sample', (_, quarters) => {
    const middleSample = RATE_HZ / 2;
    const signal = Float32Array.from({ length: RATE_HZ }, (_, n) => {
      const periods = (n - middleSample - quarters / 4) / 4;
      return fadeAt(n) * (0.5 + 0.5 * Math.exp(-0.5 * (periods / 4) ** 2)) * Math.cos(2 * Math.PI * periods);
    });
    expectTruePeak(meterSignal([signal, signal], RATE_HZ).loudness.truePeakDbtp, 0);
    // The crest is between samples: at two quarters, its neighbours are 3 dB below it.
    if (quarters === 2) expect(Math.max(...signal)).toBeLessThan(0.72);
  });
});

/** Cases 5 and 6 are recordings. The document's tolerance is 1 LU; steady tones can be held to 0.1. */
describe('EBU Tech 3342', () => {
  it.each([
    [1, [-20, -30], 10],
    [2, [-20, -15], 5],
    [3, [-40, -20], 20],
    [4, [-50, -35, -20, -35, -50], 15],
  ])('case %d', (_, levelsDbfs, expectedLu) => {
    expectWithin(meterStereo(levelsDbfs.map((levelDbfs) => tone(levelDbfs, 20))).rangeLu, expectedLu);
  });
});

describe('the definition', () => {
  it('reads -3.01 LUFS for a 997 Hz sine of full scale in one channel', () => {
    expectWithin(
      meterSignal([makeSine(5 * RATE_HZ, 997, RATE_HZ)], RATE_HZ).loudness.integratedLufs,
      -3.01,
      // Half the last digit of the recommendation.
      0.005,
    );
  });

  it('ignores the low-frequency channel', () => {
    const quiet = makeTones([tone(-40, 5)]);
    const loud = makeTones([tone(-10, 5)]);
    const silent = new Float32Array(quiet.length);
    const without = meterSignal([quiet, silent, silent, silent, silent, silent], RATE_HZ).loudness;
    const withLow = meterSignal([quiet, silent, silent, loud, silent, silent], RATE_HZ).loudness;
    expect(withLow.integratedLufs).toBe(without.integratedLufs);
  });

  it('follows the gain decibel for decibel in levels, but not in ratios and ranges', () => {
    const noise = makeNoise(10 * RATE_HZ, 0.5);
    const one = meterSignal([noise], RATE_HZ).loudness;
    const half = meterSignal([noise.map((value) => value / 2)], RATE_HZ).loudness;
    expect(one.integratedLufs! - half.integratedLufs!).toBeCloseTo(6.0206, 3);
    expect(one.truePeakDbtp! - half.truePeakDbtp!).toBeCloseTo(6.0206, 3);
    expect(one.plrLu).toBeCloseTo(half.plrLu!, 3);
    expect(one.rangeLu).toBeCloseTo(half.rangeLu!, 3);
  });

  it('agrees between sampling rates', () => {
    const levelsLufs = RATES_HZ.map(
      (rateHz) => meterSignal([makeSine(5 * rateHz, 5000, rateHz, 0.1)], rateHz).loudness.integratedLufs!,
    );
    // The bilinear transform warps the shelf near Nyquist; at 5 kHz by a few hundredths of a decibel.
    expect(Math.max(...levelsLufs) - Math.min(...levelsLufs)).toBeLessThan(0.05);
  });
});

describe('nothing to measure', () => {
  it.each([
    ['no samples', 0],
    ['single samples', 1],
    ['300 ms', 14_400],
  ])('%s are too short', (_, count) => {
    const { loudness, unavailable } = meterSignal([new Float32Array(count).fill(0.1)], RATE_HZ);
    expect(loudness.integratedLufs).toBeNull();
    expect(loudness.momentary.values).toEqual([]);
    expect(unavailable['loudness.integrated_lufs']).toBe('too_short');
    expect(loudness.platforms.every(({ gainDb }) => gainDb === null)).toBe(true);
  });

  it('silence has no levels', () => {
    const { loudness, unavailable } = meterSignal([new Float32Array(5 * RATE_HZ)], RATE_HZ);
    expect(loudness).toMatchObject({
      integratedLufs: null,
      truePeakDbtp: null,
      samplePeakDbfs: null,
      plrLu: null,
    });
    expect(unavailable).toMatchObject({
      'loudness.integrated_lufs': 'silence',
      'loudness.true_peak_dbtp': 'silence',
      'loudness.sample_peak_dbfs': 'silence',
    });
    expect(loudness.momentary.values.every((value) => value === null)).toBe(true);
  });

  it('a constant has a peak, and no loudness once its start has passed', () => {
    const { loudness } = meterSignal([new Float32Array(20 * RATE_HZ).fill(0.5)], RATE_HZ);
    expect(loudness.samplePeakDbfs).toBeCloseTo(-6.02, 2);
    // The start is a step; after it, the high-pass leaves nothing.
    expect(loudness.momentary.values.at(-1)).toBeNull();
  });

  it('an impulse, which the filter lowers, has a true peak no lower than its sample', () => {
    const { loudness } = meterSignal([makeImpulse(1000, 999)], RATE_HZ);
    expect(loudness.samplePeakDbfs).toBeCloseTo(0, 5);
    expect(loudness.truePeakDbtp).toBeCloseTo(0, 5);
  });
});

describe('curves and gains', () => {
  it('doubles the hop of the curves of a long file', () => {
    const { loudness } = meterSignal([makeNoise(2200 * 1000, 0.1)], 1000);
    expect(loudness.momentary.hopSeconds).toBe(1);
    expect(loudness.momentary.values.length).toBe(2200);
    expect(loudness.shortTerm.startSeconds).toBe(1.5);
  });

  it('gives the gains of ReplayGain and of the platforms', () => {
    const { loudness } = meterSignal([makeTones([tone(-20, 5)]), makeTones([tone(-20, 5)])], RATE_HZ);
    const gains = Object.fromEntries(loudness.platforms.map((entry) => [entry.platform, entry]));
    // The K-weighting is 0.007 dB higher at 1 kHz than at 997 Hz, where it is calibrated.
    expectWithin(gains.spotify!.gainDb, 6, 0.01);
    expectWithin(loudness.replayGain.trackGainDb, 2, 0.01);
    expect(loudness.replayGain.trackPeak).toBeCloseTo(0.1, 3);
  });
});
