import { expect, it } from 'vitest';
import { FrameMatrixBuilder } from '../signal/frame-matrix.ts';
import { computeClassicalActivation } from './classical-activation.ts';
import { computeOnsetEnvelope } from './onset-envelope.ts';

const BANDS = 81;
const RMS = 0.1;

/** A new harmony every two seconds and a stroke every half, at 50 frames a second. */
function makeMel(frameCount: number, exactFramesMax?: number) {
  const mel = new FrameMatrixBuilder(50, BANDS, exactFramesMax);
  for (let frame = 0; frame < frameCount; frame++) {
    const harmony = Math.floor(frame / 100) % 3;
    const stroke = frame % 25 < 3 ? 0.2 : 0.02;
    mel.append(Float32Array.from({ length: BANDS }, (_, band) => stroke * (band % 3 === harmony ? 1 : 0.1)));
  }
  return mel.finish();
}

const listen = (mel: ReturnType<typeof makeMel>) =>
  computeClassicalActivation(mel, RMS, computeOnsetEnvelope(mel, RMS));

it('rates a new harmony as a likelier downbeat than the same one struck again', () => {
  const { downbeat } = listen(makeMel(1000));
  const likeliest = (from: number) => Math.max(...downbeat.subarray(from - 2, from + 5));
  for (let change = 200; change <= 700; change += 100) {
    // By a third or more here; a fifth tells it from a tie.
    for (const again of [25, 50, 75])
      expect(likeliest(change)).toBeGreaterThan(1.2 * likeliest(change + again));
  }
});

it('gives nearly the same for a long file, whose frames are stored in 16 bits', () => {
  const exact = listen(makeMel(1000));
  const compact = listen(makeMel(1000, 100));
  // A relative error of 2^-11 in the magnitudes.
  exact.downbeat.forEach((value, frame) => {
    expect(Math.abs(compact.downbeat[frame]! - value), `frame ${frame}`).toBeLessThan(0.002);
  });
});

it.each([
  // A kick counts half of a broadband onset, a hi-hat a quarter.
  ['full', 1],
  ['low', 2],
  ['high', 4],
] as const)('rates an onset by its height relative to the local level: %s', (register, heightRatio) => {
  const mel = { ...makeMel(1000), data: new Float32Array(1000 * BANDS) };
  const rate = (height: number): Float32Array => {
    const silent = new Float32Array(1000);
    const struck = silent.map((_, frame) => (frame % 25 === 0 ? height * heightRatio : 0));
    const onsets = { frameRateHz: 50, full: silent, low: silent, high: silent, [register]: struck };
    return computeClassicalActivation(mel, 0, onsets).beat;
  };
  // 13 of the 301 frames around an onset at 500 are onsets. Above the mean, 13/301 of h, each is 0.957 h high, their mean square 0.0395 h².
  // Relative to that and the floor of 0.05² its square is 23.2 for a high onset and 0.88 for one of 0.05; x / (x + 1.5²) of 0.8 remains.
  expect(rate(10)[500]).toBeCloseTo(0.8 * (23.2 / (23.2 + 2.25)), 2);
  expect(rate(0.05)[500]).toBeCloseTo(0.8 * (0.88 / (0.88 + 2.25)), 2);
  expect(rate(10)[510]).toBe(0);
});

it('rates an onset in the bass as a likelier downbeat than the same one above it', () => {
  const mel = { ...makeMel(1000), data: new Float32Array(1000 * BANDS) };
  const silent = new Float32Array(1000);
  const struck = silent.map((_, frame) => (frame % 25 === 0 ? 10 : 0));
  const rateShare = (onsets: object): number => {
    const envelope = { frameRateHz: 50, full: silent, low: silent, high: silent, ...onsets };
    const { beat, downbeat } = computeClassicalActivation(mel, 0, envelope);
    return downbeat[500]! / beat[500]!;
  };
  // 25 of the 601 frames around it are onsets, so its square is 24 times their mean; a quarter of that counts, and x / (x + 1.5²) of 0.6 remains.
  expect(rateShare({ low: struck })).toBeCloseTo(0.6 * (6.01 / (6.01 + 2.25)), 3);
  expect(rateShare({ full: struck })).toBe(0);
});

it('is zero in silence and empty without frames', () => {
  const silent = new FrameMatrixBuilder(50, BANDS);
  for (let frame = 0; frame < 10; frame++) silent.append(new Float32Array(BANDS));
  const mel = silent.finish();
  const { beat, downbeat } = computeClassicalActivation(mel, 0, computeOnsetEnvelope(mel, 0));
  expect([...beat, ...downbeat]).toEqual(new Array(20).fill(0));
  expect(listen(makeMel(0)).beat).toHaveLength(0);
});
