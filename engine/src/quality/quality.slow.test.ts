import { describe, expect, it } from 'vitest';
import type { Quality, QualityEventKind } from '../result.ts';
import { createBlockStage, STAGE_SAMPLES, STAGE_STRIDE_SAMPLES } from '../signal/block-stage.ts';
import { ANALYSIS_RATE_HZ, createFrontEnd, PITCH_FRAMES } from '../signal/front-end.ts';
import { createKernels } from '../signal/kernels.ts';
import { createMeanSpectrumMeter } from '../signal/mean-spectrum.ts';
import { addSignals, makeImpulse, makeMusic, makeNoise, makeSine } from '../signal/test-signals.ts';
import { createQualityInspector, type QualityInspector } from './quality.ts';

const RATE_HZ = 44_100;
const SECONDS = 10;
const COUNT = RATE_HZ * SECONDS;
const MUSIC = makeMusic(RATE_HZ, SECONDS);

function inspect(...channels: Float32Array[]): ReturnType<QualityInspector['finish']> {
  const kernels = createKernels();
  const format = { sampleRateHz: RATE_HZ, channelCount: channels.length };
  // As in analyse.ts.
  const inspector = createQualityInspector(kernels, format, {
    binHz: ANALYSIS_RATE_HZ / PITCH_FRAMES.fftSize,
    sineGain: PITCH_FRAMES.fftSize / 4,
  });
  const frontEnd = createFrontEnd(kernels, RATE_HZ, STAGE_SAMPLES, { pitch: inspector.observePitchSpectrum });
  const spectrum = createMeanSpectrumMeter(kernels, RATE_HZ);
  const mono = kernels.allocateFloats(STAGE_SAMPLES);
  const stage = createBlockStage(kernels, channels.length, (block) => {
    kernels.exports.mixToMono(
      block.channels[0]!,
      STAGE_STRIDE_SAMPLES,
      channels.length,
      mono.pointer,
      block.sampleCount,
    );
    inspector.take(block);
    spectrum.take(mono.pointer, block.sampleCount);
    frontEnd.push(mono.pointer, block.sampleCount);
  });
  stage.push({ channels });
  const { nonFiniteSamples } = stage.finish();
  frontEnd.finish();
  return inspector.finish({
    spectrum: spectrum.finish(),
    nonFiniteSamples,
    durationSeconds: channels[0]!.length / RATE_HZ,
  });
}

const eventsOf = (quality: Quality, kind: QualityEventKind) =>
  quality.events.filter((event) => event.kind === kind);

const alter = (signal: Float32Array, change: (copy: Float32Array) => void): Float32Array => {
  const copy = signal.slice();
  change(copy);
  return copy;
};

const peakOf = (signal: Float32Array): number =>
  signal.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);

const MUSIC_PEAK = peakOf(MUSIC);

describe('clean audio', () => {
  const cleanSignals: Record<string, () => Float32Array> = {
    music: () => MUSIC,
    'quiet music': () => MUSIC.map((value) => value / 30),
    'music at full scale': () => MUSIC.map((value) => value * (0.999 / MUSIC_PEAK)),
    'music of 16 bits': () => MUSIC.map((value) => Math.round(value * 32767) / 32768),
    'white noise': () => makeNoise(COUNT, 0.9),
    'a sine': () => makeSine(COUNT, 440, RATE_HZ, 0.99),
    'a low sine of 16 bits': () =>
      makeSine(COUNT, 30, RATE_HZ, 0.9).map((value) => Math.round(value * 32767) / 32768),
  };

  it.each(Object.keys(cleanSignals))('%s raises no alarm', (name) => {
    const signal = cleanSignals[name]!();
    const { quality } = inspect(signal, signal);
    expect(quality.eventCounts).toEqual({ clipping: 0, dropout: 0, silence: 0, click: 0 });
    expect(quality.hum).toBeNull();
    expect(quality.nonFiniteSamples).toBe(0);
  });
});

describe('clipping', () => {
  it.each([
    ['at full scale', 1],
    ['at a level that was lowered by 4 dB afterwards', 0.63],
  ])('%s is found where it is', (_, level) => {
    const hot = alter(MUSIC, (copy) => {
      const limit = 0.9 * MUSIC_PEAK;
      for (let n = 0; n < COUNT; n++) {
        // Only the kick at second 4 is driven into the limit.
        const driven = copy[n]! * (n >= 4 * RATE_HZ && n < 4.4 * RATE_HZ ? 3 : 0.5);
        copy[n] = (Math.max(-limit, Math.min(limit, driven)) * level) / limit;
      }
    });
    const { quality } = inspect(MUSIC, hot);
    const events = eventsOf(quality, 'clipping');
    expect(peakOf(hot)).toBeCloseTo(level, 5);
    // Its flat tops are less than 50 ms apart and make one event.
    const isAtLimit = (n: number) => Math.abs(hot[n]!) > 0.9999 * level;
    // Two samples at the limit are a crest; three are cut off.
    const clipped = [...hot.keys()].filter((n) =>
      [n - 2, n - 1, n].some((first) => [first, first + 1, first + 2].every(isAtLimit)),
    );
    const [firstSample, endSample] = [clipped[0]!, clipped.at(-1)! + 1];
    expect(events).toEqual([
      {
        kind: 'clipping',
        startSeconds: firstSample / RATE_HZ,
        endSeconds: endSample / RATE_HZ,
        channel: 1,
        severity: clipped.length / (endSample - firstSample),
      },
    ]);
    expect(firstSample).toBeGreaterThanOrEqual(4 * RATE_HZ);
    expect(endSample).toBeLessThanOrEqual(4.4 * RATE_HZ);
  });

  it('counts decoder overshoot beyond full scale', () => {
    const loud = makeSine(RATE_HZ, 100, RATE_HZ, 1.3);
    // Of each of the hundred periods of 441 samples, 62 to 158 and 283 to 379 are beyond full scale.
    const endSample = 99 * 441 + 380;
    expect(eventsOf(inspect(loud).quality, 'clipping')).toEqual([
      {
        kind: 'clipping',
        startSeconds: 62 / RATE_HZ,
        endSeconds: endSample / RATE_HZ,
        channel: 0,
        severity: (100 * 2 * 97) / (endSample - 62),
      },
    ]);
  });
});

describe('clicks', () => {
  it.each([
    ['a single sample', [0.25]],
    ['a pair of opposite samples', [0.2, -0.2]],
  ])('%s is found at its time and channel', (_, shape) => {
    const timesSeconds = [1.37, 3.3, 7.93];
    const clicked = alter(MUSIC, (copy) => {
      for (const timeSeconds of timesSeconds) {
        shape.forEach((value, k) => {
          copy[Math.round(timeSeconds * RATE_HZ) + k]! += value;
        });
      }
    });
    const events = eventsOf(inspect(MUSIC, clicked).quality, 'click');
    expect(events.map(({ channel }) => channel)).toEqual([1, 1, 1]);
    events.forEach((event, index) => {
      // A stretch is 0.7 ms, and a click on its border may be reported at the next one.
      expect(Math.abs(event.startSeconds - timesSeconds[index]!)).toBeLessThan(0.0015);
    });
  });

  it('an impulse in silence', () => {
    expect(eventsOf(inspect(makeImpulse(RATE_HZ, 20_000, 0.5)).quality, 'click')).toHaveLength(1);
  });
});

describe('dropouts', () => {
  it.each([0.003, 0.02, 0.2])('a hole of %d s is found at its time', (seconds) => {
    const startSeconds = 2.6;
    const torn = alter(MUSIC, (copy) => {
      copy.fill(0, Math.round(startSeconds * RATE_HZ), Math.round((startSeconds + seconds) * RATE_HZ));
    });
    const events = eventsOf(inspect(torn, MUSIC).quality, 'dropout');
    expect(events).toHaveLength(1);
    expect(events[0]!.channel).toBe(0);
    // Times are those of stretches, 0.7 ms.
    expect(Math.abs(events[0]!.startSeconds - startSeconds)).toBeLessThan(0.001);
    expect(Math.abs(events[0]!.endSeconds - startSeconds - seconds)).toBeLessThan(0.001);
  });

  it('a fade to silence and back is not one', () => {
    // Silent for a tenth of a second on either side of second 5; each fade takes another tenth.
    const faded = MUSIC.map((value, n) => {
      const tenthsAway = Math.abs(n / RATE_HZ - 5) / 0.1;
      return value * Math.max(0, Math.min(1, tenthsAway - 1));
    });
    expect(eventsOf(inspect(faded).quality, 'dropout')).toHaveLength(0);
  });
});

describe('silence', () => {
  it('is found when all channels are silent, and only then', () => {
    const paused = alter(MUSIC, (copy) => copy.fill(0, 3 * RATE_HZ, 5 * RATE_HZ));
    const [event, ...others] = eventsOf(inspect(paused, paused).quality, 'silence');
    expect(others).toEqual([]);
    expect(event!.channel).toBeNull();
    // Times are those of stretches, 0.7 ms.
    expect(Math.abs(event!.startSeconds - 3)).toBeLessThan(0.001);
    expect(Math.abs(event!.endSeconds - 5)).toBeLessThan(0.001);
    expect(eventsOf(inspect(paused, MUSIC).quality, 'silence')).toEqual([]);
  });

  it('fills a silent file, which has no noise floor', () => {
    const { quality, unavailable } = inspect(new Float32Array(COUNT), new Float32Array(COUNT));
    expect(quality.events).toMatchObject([{ kind: 'silence', startSeconds: 0, endSeconds: SECONDS }]);
    expect(quality).toMatchObject({ noiseFloorDbfs: null, bandwidthHz: null, stereo: null, hum: null });
    expect(unavailable).toEqual({
      'quality.noise_floor_dbfs': 'silence',
      'quality.bandwidth_hz': 'silence',
      'quality.stereo': 'silence',
    });
  });
});

describe('level', () => {
  it('includes the DC offset of each channel', () => {
    const { quality } = inspect(
      MUSIC.map((value) => value + 0.02),
      MUSIC,
    );
    expect(quality.dcOffset[0]! - quality.dcOffset[1]!).toBeCloseTo(0.02, 5);
    // The mean of the music itself.
    expect(Math.abs(quality.dcOffset[1]!)).toBeLessThan(0.002);
  });

  it('includes the noise floor that a pause reveals', () => {
    const bare = alter(MUSIC, (copy) => {
      const noise = makeNoise(COUNT, 0.001 * Math.sqrt(3), 5);
      for (let n = 0; n < COUNT; n++) copy[n] = (n < 5 * RATE_HZ ? copy[n]! : 0) + noise[n]!;
    });
    // Uniform noise of amplitude a has a root mean square of a / sqrt(3); the histogram's step is 1 dB.
    expect(Math.abs(inspect(bare).quality.noiseFloorDbfs! + 60)).toBeLessThanOrEqual(1);
  });

  it('replaces samples that are not finite by zeros, and counts them', () => {
    const inspectWith = (values: number[]) => inspect(alter(MUSIC, (copy) => copy.set(values, 5000))).quality;
    const broken = inspectWith([Number.NaN, Number.POSITIVE_INFINITY, -1e20]);
    expect(broken).toEqual({ ...inspectWith([0, 0, 0]), nonFiniteSamples: 3 });
  });
});

describe('hum', () => {
  it.each([50, 60] as const)('of %d Hz under music is found with its level', (baseHz) => {
    const hum = addSignals(
      makeSine(COUNT, baseHz, RATE_HZ, 0.004),
      makeSine(COUNT, 2 * baseHz, RATE_HZ, 0.002),
      makeSine(COUNT, 3 * baseHz, RATE_HZ, 0.002),
    );
    const pausing = MUSIC.map((value, n) => (Math.floor(n / RATE_HZ) % 4 === 3 ? 0 : value));
    const { quality } = inspect(addSignals(pausing, hum));
    expect(quality.hum?.frequencyHz).toBe(baseHz);
    // Between the bins a Hann window reads up to 1.4 dB low, and levels come in steps of 1 dB.
    expect(Math.abs(quality.hum!.levelDbfs - 20 * Math.log10(Math.hypot(0.004, 0.002, 0.002)))).toBeLessThan(
      2.5,
    );
  });
});

it('a held bass note is not hum: G1 and its harmonics are two per cent below those of 50 Hz', () => {
  const drone = addSignals(...[1, 2, 3, 4].map((k) => makeSine(COUNT, 49 * k, RATE_HZ, 0.004 / k)));
  const pausing = MUSIC.map((value, n) => (Math.floor(n / RATE_HZ) % 4 === 3 ? 0 : value));
  expect(inspect(addSignals(pausing, drone)).quality.hum).toBeNull();
});

describe('bandwidth', () => {
  /** Noise with everything above the cutoff taken away by a steep filter: sums of sines would be too slow. */
  const cut = (cutoffHz: number): Float32Array => {
    const tapCount = 511;
    const centreTap = (tapCount - 1) / 2;
    const kernel = Float64Array.from({ length: tapCount }, (_, k) => {
      const x = k - centreTap;
      const sinc =
        x === 0 ? (2 * cutoffHz) / RATE_HZ : Math.sin((2 * Math.PI * cutoffHz * x) / RATE_HZ) / (Math.PI * x);
      return (
        sinc *
        (0.42 + 0.5 * Math.cos((Math.PI * x) / centreTap) + 0.08 * Math.cos((2 * Math.PI * x) / centreTap))
      );
    });
    const noise = makeNoise(3 * RATE_HZ, 0.3);
    return noise.map((_, n) => kernel.reduce((sum, tap, k) => sum + tap * (noise[n - k] ?? 0), 0));
  };

  it.each([16_000, 19_000])('that ends in a cliff at %d Hz is likely due to an encoder', (cutoffHz) => {
    const { bandwidthHz, lossyTranscode } = inspect(cut(cutoffHz)).quality;
    // The filter's own slope: a Blackman window of 511 taps takes 5.5 bins of 86 Hz, half of them beyond the cutoff.
    expect(Math.abs(bandwidthHz! - cutoffHz)).toBeLessThan(300);
    expect(lossyTranscode.verdict).toBe('likely');
  });

  it('up to Nyquist, or that ends in a gentle slope, is unlikely to be', () => {
    const full = inspect(makeNoise(COUNT, 0.3)).quality;
    // White noise fills the last bins like all others.
    expect(full.bandwidthHz).toBe(RATE_HZ / 2);
    expect(full.lossyTranscode.verdict).toBe('unlikely');
    let state = 0;
    // Five poles near 600 Hz: 30 dB an octave, below the noise of 16 bits long before Nyquist.
    let gentle = makeNoise(COUNT, 0.05);
    for (let pole = 0; pole < 5; pole++) gentle = gentle.map((value) => (state += 0.08 * (value - state)));
    expect(inspect(gentle).quality.lossyTranscode.verdict).toBe('unlikely');
  });

  it('is unknown for a file that is too short', () => {
    const { quality, unavailable } = inspect(makeNoise(5000));
    expect(quality.lossyTranscode).toEqual({ verdict: 'unknown', cutoffHz: null, confidence: 0 });
    expect(unavailable['quality.bandwidth_hz']).toBe('too_short');
  });

  // Every third block of 4096 samples is a frame, and four frames are wanted: 37,000 samples have three.
  it.each([
    ['noise', makeNoise(37_000), { 'quality.bandwidth_hz': 'too_short' }],
    [
      'silence',
      new Float32Array(5000),
      { 'quality.bandwidth_hz': 'too_short', 'quality.noise_floor_dbfs': 'silence' },
    ],
    [
      'a moment',
      makeNoise(500),
      { 'quality.bandwidth_hz': 'too_short', 'quality.noise_floor_dbfs': 'too_short' },
    ],
  ])('that is absent in %s has its own reason, as has an absent noise floor', (_, signal, reasons) => {
    expect(inspect(signal).unavailable).toEqual({ ...reasons, 'quality.stereo': 'mono' });
  });
});

describe('the stereo image', () => {
  const other = makeMusic(RATE_HZ, SECONDS, 77);
  const noiseA = makeNoise(COUNT, 0.5, 1);
  const noiseB = makeNoise(COUNT, 0.5, 2);

  it('of less than a hop has one point, in the middle of the file', () => {
    const moment = MUSIC.subarray(0, 0.4 * RATE_HZ);
    const { correlationCurve, widthCurve } = inspect(moment, moment).quality.stereo!;
    for (const { startSeconds, values } of [correlationCurve, widthCurve]) {
      expect(values).toHaveLength(1);
      expect(startSeconds).toBeCloseTo(0.2, 6);
    }
  });

  it('of two equal channels is mono', () => {
    const { stereo } = inspect(MUSIC, MUSIC).quality;
    expect(stereo!.correlation).toBeCloseTo(1, 4);
    expect(stereo!.width).toBeCloseTo(0, 4);
    expect(stereo!.monoLossDb).toBeCloseTo(0, 3);
    expect(stereo!.imbalanceDb).toBeCloseTo(0, 5);
    expect(stereo!.phaseInverted).toBe(false);
  });

  it('of unrelated channels is wide', () => {
    const { stereo } = inspect(noiseA, noiseB).quality;
    // The standard deviation of the correlation of 441,000 random pairs is 0.0015.
    expect(stereo!.correlation).toBeCloseTo(0, 2);
    expect(stereo!.width).toBeCloseTo(0.5, 2);
    expect(stereo!.monoLossDb).toBeCloseTo(3.01, 1);
  });

  it('of inverted channels is inverted', () => {
    const { stereo } = inspect(
      MUSIC,
      MUSIC.map((value) => -value),
    ).quality;
    expect(stereo).toMatchObject({ phaseInverted: true, monoLossDb: 60 });
    expect(stereo!.correlation).toBeCloseTo(-1, 4);
  });

  it('includes the imbalance of a louder side, and of a silent one', () => {
    const { stereo } = inspect(
      MUSIC,
      other.map((value) => value / 2),
    ).quality;
    // The two pieces differ in their noise, so their levels are not quite equal.
    expect(stereo!.imbalanceDb).toBeCloseTo(6.02, 1);
    expect(inspect(MUSIC, new Float32Array(COUNT)).quality.stereo).toMatchObject({
      correlation: 0,
      imbalanceDb: 60,
    });
  });

  it('changes over time', () => {
    const { stereo } = inspect(
      noiseA,
      noiseA.map((value, n) => (n < COUNT / 2 ? value : -value)),
    ).quality;
    const { values, hopSeconds } = stereo!.correlationCurve;
    // Eleven blocks are nearest to a second.
    expect(hopSeconds).toBeCloseTo((11 * STAGE_SAMPLES) / RATE_HZ, 12);
    expect(values[0]).toBe(1);
    expect(values.at(-1)).toBe(-1);
  });

  it('is unavailable for mono', () => {
    const { quality, unavailable } = inspect(MUSIC);
    expect(quality.stereo).toBeNull();
    expect(unavailable['quality.stereo']).toBe('mono');
  });
});

it.each([0, 1, 31])('finds nothing wrong with %d samples', (count) => {
  const { quality } = inspect(makeNoise(count));
  expect(quality.eventCounts).toEqual({ clipping: 0, dropout: 0, silence: 0, click: 0 });
  expect(quality.dcOffset.every(Number.isFinite)).toBe(true);
});

it('no samples are too short for a stereo image', () => {
  const { quality, unavailable } = inspect(new Float32Array(0), new Float32Array(0));
  expect(quality.stereo).toBeNull();
  expect(unavailable['quality.stereo']).toBe('too_short');
});
