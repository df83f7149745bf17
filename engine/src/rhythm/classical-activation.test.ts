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
    for (const again of [25, 50, 75])
      expect(likeliest(change)).toBeGreaterThan(1.2 * likeliest(change + again));
  }
});

it('gives nearly the same for the frames of a long file, which are kept in 16 bits', () => {
  const exact = listen(makeMel(1000));
  const compact = listen(makeMel(1000, 100));
  // A relative error of 2^-11 in the magnitudes.
  exact.downbeat.forEach((value, frame) => {
    expect(Math.abs(compact.downbeat[frame]! - value), `frame ${frame}`).toBeLessThan(0.002);
  });
});

it('is zero in silence and empty without frames', () => {
  const silent = new FrameMatrixBuilder(50, BANDS);
  for (let frame = 0; frame < 10; frame++) silent.append(new Float32Array(BANDS));
  const mel = silent.finish();
  const { beat, downbeat } = computeClassicalActivation(mel, 0, computeOnsetEnvelope(mel, 0));
  expect([...beat, ...downbeat]).toEqual(new Array(20).fill(0));
  expect(listen(makeMel(0)).beat).toHaveLength(0);
});
