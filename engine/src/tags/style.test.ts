import { describe, expect, it } from 'vitest';
import { PATCH_SECONDS } from './patch-keeper.ts';
import { chooseStylePatches, hearStyle } from './style.ts';
import type { TagListener } from './tag-listener.ts';
import { raiseTags, TEST_TAGS } from './test-logits.ts';
import { listenWithTaggers } from './test-taggers.ts';

const RATE_HZ = 22_050;
const LENGTH = Math.round(PATCH_SECONDS * RATE_HZ);
const SILENCE = { startSeconds: 0, samples: new Float32Array(LENGTH) };

function makeTone(hz: number, startSeconds: number) {
  const samples = Float32Array.from(
    { length: LENGTH },
    (_, n) => 0.3 * Math.sin((2 * Math.PI * hz * n) / RATE_HZ),
  );
  return { startSeconds, samples };
}

describe('hearStyle', () => {
  it('gives how far the tags of each style stand out, within 2.5 spreads', () => {
    const spreads = { 'msd:Hip-Hop': 1.5, 'msd:blues': -0.5, 'msd:country': 9, 'msd:metal': -9 };
    const listener: TagListener = {
      hear: (tagger, patches) =>
        patches.map(({ startSeconds }) => ({
          startSeconds,
          logits: raiseTags(tagger, spreads),
          hidden: new Float32Array(),
        })),
      tags: (tagger) => TEST_TAGS[tagger],
      models: () => [],
    };
    const { hipHop, blues, country, metal, happy } = hearStyle(listener, [makeTone(220, 0)])!;
    // Logits have single precision.
    expect(hipHop).toBeCloseTo(1.5, 5);
    expect(blues).toBeCloseTo(-0.5, 5);
    expect(happy).toBeCloseTo(0, 5);
    expect([country, metal]).toEqual([2.5, -2.5]);
  });

  it('gives no style for silence', () => {
    expect(hearStyle(listenWithTaggers(RATE_HZ), [])).toBeNull();
    expect(hearStyle(listenWithTaggers(RATE_HZ), [SILENCE, SILENCE])).toBeNull();
  });

  it('ignores silent patches next to music', () => {
    const music = [makeTone(220, 0), makeTone(330, 3)];
    expect(hearStyle(listenWithTaggers(RATE_HZ), [SILENCE, ...music, SILENCE])).toEqual(
      hearStyle(listenWithTaggers(RATE_HZ), music),
    );
  });

  it('reads three patches, evenly spread', () => {
    const music = Array.from({ length: 7 }, (_, k) => makeTone(220, 3 * k));
    // The middles of three thirds of seven.
    expect(chooseStylePatches(music).map(({ startSeconds }) => startSeconds)).toEqual([3, 9, 15]);
  });
});
