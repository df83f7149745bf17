import { describe, expect, it } from 'vitest';
import { createKernels } from '../signal/kernels.ts';
import { measureCepstrum } from './cepstrum.ts';

const BANDS = 81;

/** The statistics of frames given by the natural logarithms of their magnitudes. */
function measure(logarithms: readonly ((band: number) => number)[], { stepFrames = 1, rms = 1 } = {}) {
  const data = Float32Array.from({ length: BANDS * logarithms.length }, (_, i) =>
    Math.exp(logarithms[Math.floor(i / BANDS)]!(i % BANDS)),
  );
  const kernels = createKernels();
  const mel = { frameRateHz: 50, binCount: BANDS, frameCount: logarithms.length, data };
  const flagCount = Math.ceil(logarithms.length / stepFrames);
  const audible = kernels.exports.allocate(flagCount);
  const statistics = measureCepstrum(kernels, mel, rms, stepFrames, audible);
  return { statistics, audibleFlags: [...new Uint8Array(kernels.exports.memory.buffer, audible, flagCount)] };
}
const flat = (logarithm: number) => () => logarithm;
/** Shaped like the fourth basis vector: that coefficient is √(2/81) times the sum of 81 squared cosines, which is 81/2; all others are 0. */
const wave = (band: number) => Math.cos((3 * Math.PI * (band + 0.5)) / BANDS);
const WAVE_COEFFICIENT = Math.sqrt(81 / 2);

describe('cepstrum', () => {
  it('has the mean level in coefficient 0, and each cosine shape in its own coefficient', () => {
    const { mean } = measure([(band) => 1 + wave(band)]).statistics!;
    // The orthonormal transform of a level of 1 in 81 bands is √81.
    const expected = [9, 0, 0, WAVE_COEFFICIENT, ...new Array(9).fill(0)];
    mean.forEach((value, k) => {
      // Logarithms in 32 bits.
      expect(value).toBeCloseTo(expected[k]!, 4);
    });
    expect(mean).toHaveLength(13);
  });

  it('has the mean and the covariance of the frames', () => {
    const { mean, covariance } = measure([(band) => 1 + wave(band), (band) => 3 - wave(band)]).statistics!;
    // As above; products of two are larger, and so is their error.
    expect([mean[0], mean[3]]).toEqual([expect.closeTo(18, 4), expect.closeTo(0, 4)]);
    expect(covariance[0]![0]).toBeCloseTo(9 * 9, 2);
    expect(covariance[3]![3]).toBeCloseTo(81 / 2, 2);
    expect(covariance[0]![3]).toBeCloseTo(-9 * WAVE_COEFFICIENT, 2);
    expect(covariance[1]![1]).toBeCloseTo(0, 4);
  });

  it('excludes pauses (frames whose strongest band is below -5) and flags the other frames', () => {
    const { statistics, audibleFlags } = measure([flat(1), flat(-5.1), (band) => (band === 7 ? -4.9 : -5.1)]);
    expect(audibleFlags).toEqual([1, 0, 1]);
    expect(statistics!.mean[0]).toBeCloseTo((9 + (9 * (80 * -5.1 - 4.9)) / 81) / 2, 4);
  });

  it('clamps levels to 80 dB below that of the file', () => {
    const loudest = (quiet: number) => measure([(band) => (band === 0 ? 0 : quiet)]).statistics!.mean[0];
    expect(loudest(-20)).toBeCloseTo((80 * Math.log(1e-4)) / 9, 3);
    expect(loudest(-20)).toBe(loudest(-30));
  });

  it('measures levels relative to that of the file', () => {
    expect(measure([flat(3)], { rms: Math.E }).statistics!.mean[0]).toBeCloseTo(9 * 2, 4);
  });

  it('reads every `stepFrames`-th frame, of more than two windows of the kernels', () => {
    const frames = Array.from({ length: 600 }, (_, frame) =>
      flat(frame % 2 === 1 ? 5 : frame < 560 ? 1 : -9),
    );
    const { statistics, audibleFlags } = measure(frames, { stepFrames: 2 });
    expect(audibleFlags).toEqual([...new Array(280).fill(1), ...new Array(20).fill(0)]);
    expect(statistics!.mean[0]).toBeCloseTo(9, 4);
  });

  it('is null if there are only pauses', () => {
    expect(measure([flat(-9)]).statistics).toBeNull();
    expect(measure([]).statistics).toBeNull();
  });
});
