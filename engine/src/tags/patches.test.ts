import { describe, expect, it } from 'vitest';
import type { Content } from '../result.ts';
import { choosePatches, PATCHES_MAX } from './patch-choice.ts';
import { createPatchKeeper, PATCH_SECONDS } from './patch-keeper.ts';

const RATE_HZ = 1000;
const PATCH_SAMPLES = Math.round(PATCH_SECONDS * RATE_HZ);
const countUp = (length: number): Float32Array => Float32Array.from({ length }, (_, n) => n);

function keep(samples: Float32Array, blockSamples: number, patchesMax?: number) {
  const keeper = createPatchKeeper(RATE_HZ, patchesMax);
  for (let at = 0; at < samples.length; at += blockSamples) {
    keeper.push(samples.subarray(at, at + blockSamples));
  }
  return keeper.finish();
}

describe('kept patches', () => {
  it('are all of a short stream, where they lay in it', () => {
    const kept = keep(countUp(4 * PATCH_SAMPLES + 10), 700);
    expect(kept.map(({ samples }) => samples[0])).toEqual([0, 1, 2, 3].map((n) => n * PATCH_SAMPLES));
    expect(kept[2]!.startSeconds).toBeCloseTo(2 * PATCH_SECONDS, 9);
    expect(kept[3]!.samples.at(-1)).toBe(4 * PATCH_SAMPLES - 1);
  });

  it('are evenly spread over a long one, and never more than there is room for', () => {
    const kept = keep(countUp(101 * PATCH_SAMPLES), 5000, 8);
    const indices = kept.map(({ startSeconds }) => Math.round(startSeconds / PATCH_SECONDS));
    expect(indices).toEqual([0, 16, 32, 48, 64, 80, 96]);
  });

  it('do not depend on how the stream was cut', () => {
    const samples = countUp(40 * PATCH_SAMPLES + 5);
    expect(keep(samples, 333, 8)).toEqual(keep(samples, 100_000, 8));
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

  it('lie in every section, in the longer ones more often', () => {
    const sections = [
      { startSeconds: 0, endSeconds: 30 },
      { startSeconds: 30, endSeconds: 60 },
      { startSeconds: 60, endSeconds: durationSeconds },
    ];
    const chosen = choosePatches(starts, sections, music, durationSeconds).map((index) => starts[index]!);
    expect(chosen.length).toBeLessThanOrEqual(PATCHES_MAX);
    const inside = sections.map(
      ({ startSeconds, endSeconds }) =>
        chosen.filter((start) => start + PATCH_SECONDS / 2 >= startSeconds && start < endSeconds).length,
    );
    expect(Math.min(...inside)).toBeGreaterThan(0);
    expect(inside[2]).toBeGreaterThan(inside[0]!);
  });

  it('are never in silence, speech or noise', () => {
    const mixed = [
      region('silence', 0, 20),
      region('speech', 20, 60),
      region('music', 60, 100),
      region('noise', 100, durationSeconds),
    ];
    const chosen = choosePatches(starts, [], mixed, durationSeconds);
    expect(chosen.length).toBeGreaterThan(0);
    for (const index of chosen) {
      expect(starts[index]).toBeGreaterThanOrEqual(60);
      expect(starts[index]! + PATCH_SECONDS).toBeLessThanOrEqual(100);
    }
  });

  it('are none where there are only a few seconds of music', () => {
    expect(choosePatches(starts, [], [region('music', 0, 7)], 7)).toEqual([]);
  });
});
