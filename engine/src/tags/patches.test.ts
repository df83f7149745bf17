import { describe, expect, it } from 'vitest';
import type { Content } from '../result.ts';
import { choosePatches, isInside } from './patch-choice.ts';
import { createPatchKeeper, PATCH_SECONDS } from './patch-keeper.ts';

const RATE_HZ = 1000;
const PATCH_SAMPLES = Math.round(PATCH_SECONDS * RATE_HZ);
const countUp = (length: number): Float32Array => Float32Array.from({ length }, (_, n) => n);

function keep(samples: Float32Array, blockSamples: number) {
  const keeper = createPatchKeeper(RATE_HZ);
  for (let at = 0; at < samples.length; at += blockSamples) {
    keeper.push(samples.subarray(at, at + blockSamples));
  }
  return keeper.finish();
}

describe('kept patches', () => {
  it('are all patches of a short stream, with their start times', () => {
    const kept = keep(countUp(4 * PATCH_SAMPLES + 10), 700);
    expect(kept.map(({ samples }) => samples[0])).toEqual([0, 1, 2, 3].map((n) => n * PATCH_SAMPLES));
    expect(kept[2]!.startSeconds).toBeCloseTo(2 * PATCH_SECONDS, 9);
    expect(kept[3]!.samples.at(-1)).toBe(4 * PATCH_SAMPLES - 1);
  });

  it('are all 64 of a stream of that many, and every second one of a longer stream', () => {
    const indicesOf = (patchCount: number) =>
      keep(countUp(patchCount * PATCH_SAMPLES), 5000).map(({ startSeconds }) =>
        Math.round(startSeconds / PATCH_SECONDS),
      );
    expect(indicesOf(64)).toEqual(Array.from({ length: 64 }, (_, k) => k));
    expect(indicesOf(65)).toEqual(Array.from({ length: 33 }, (_, k) => 2 * k));
    // Halved at the 65th and, of every second one, at the 129th.
    expect(indicesOf(200)).toEqual(Array.from({ length: 50 }, (_, k) => 4 * k));
  });

  it('do not depend on how the stream was cut', () => {
    const samples = countUp(70 * PATCH_SAMPLES + 5);
    expect(keep(samples, 333)).toEqual(keep(samples, 100_000));
  });
});

describe('chosen patches', () => {
  const starts = Array.from({ length: 60 }, (_, n) => n * PATCH_SECONDS);
  const durationSeconds = 60 * PATCH_SECONDS;
  const region = (kind: Content['regions'][number]['kind'], startSeconds: number, endSeconds: number) => ({
    kind,
    startSeconds,
    endSeconds,
    confidence: 1,
  });
  const music = [region('music', 0, durationSeconds)];
  const whole = [{ startSeconds: 0, endSeconds: durationSeconds }];

  it('are spread over the sections in proportion to their length', () => {
    const sections = [
      { startSeconds: 0, endSeconds: 30 },
      { startSeconds: 30, endSeconds: 60 },
      { startSeconds: 60, endSeconds: durationSeconds },
    ];
    // Three minutes of music have five patches. By the middles of patches the sections hold 10, 10 and 40 of them: one, one and three are chosen.
    expect(choosePatches(starts, sections, music)).toEqual([5, 15, 26, 40, 53]);
    // Of 8 and 52 patches one and four: 8 > 52 / 7.
    const two = [
      { startSeconds: 0, endSeconds: 8 * PATCH_SECONDS },
      { startSeconds: 8 * PATCH_SECONDS, endSeconds: durationSeconds },
    ];
    expect(choosePatches(starts, two, music)).toEqual([4, 14, 27, 40, 53]);
  });

  it('are those of the sections alone, even if these have fewer than are wanted', () => {
    expect(choosePatches(starts, [{ startSeconds: 0, endSeconds: 6 }], music)).toEqual([0, 1]);
  });

  it('belong to the section that holds their middle', () => {
    const middleSeconds = 10 + PATCH_SECONDS / 2;
    expect(isInside(10, { startSeconds: middleSeconds, endSeconds: 99 })).toBe(true);
    expect(isInside(10, { startSeconds: middleSeconds + 0.01, endSeconds: 99 })).toBe(false);
    expect(isInside(10, { startSeconds: 0, endSeconds: middleSeconds + 0.01 })).toBe(true);
    expect(isInside(10, { startSeconds: 0, endSeconds: middleSeconds })).toBe(false);
  });

  it('are one for every 36 s of music, rounded', () => {
    const countIn = (seconds: number) => choosePatches(starts, whole, [region('music', 0, seconds)]).length;
    expect([countIn(3.49 * 36), countIn(3.5 * 36)]).toEqual([3, 4]);
  });

  it('are at most seven', () => {
    const many = Array.from({ length: 300 }, (_, n) => n * PATCH_SECONDS);
    const manySeconds = 300 * PATCH_SECONDS;
    expect(
      choosePatches(many, [{ startSeconds: 0, endSeconds: manySeconds }], [region('music', 0, manySeconds)]),
    ).toHaveLength(7);
  });

  it('are never in silence, speech or noise', () => {
    const mixed = [
      region('silence', 0, 20),
      region('speech', 20, 60),
      region('music', 60, 100),
      region('noise', 100, durationSeconds),
    ];
    // Patches 20 to 32 lie within the music.
    expect(choosePatches(starts, whole, mixed)).toEqual([22, 26, 30]);
  });

  it('need three patches of music', () => {
    const chooseFrom = (seconds: number) => choosePatches(starts, whole, [region('music', 0, seconds)]);
    expect(chooseFrom(3 * PATCH_SECONDS)).toEqual([0, 1, 2]);
    expect(chooseFrom(3 * PATCH_SECONDS - 0.1)).toEqual([]);
  });
});
