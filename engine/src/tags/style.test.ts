import { describe, expect, it } from 'vitest';
import { PATCH_SECONDS } from './patch-keeper.ts';
import { chooseStylePatches, hearStyle } from './style.ts';
import type { TagListener } from './tag-listener.ts';
import { raiseTags, TEST_TAGS } from './test-logits.ts';
import { listenWithTaggers } from './test-taggers.ts';

const RATE_HZ = 22_050;
const PATCH_SAMPLES = Math.round(PATCH_SECONDS * RATE_HZ);
const SILENCE = { startSeconds: 0, samples: new Float32Array(PATCH_SAMPLES) };

function makeTone(hz: number, startSeconds: number, amplitude = 0.3) {
  const samples = Float32Array.from(
    { length: PATCH_SAMPLES },
    (_, n) => amplitude * Math.sin((2 * Math.PI * hz * n) / RATE_HZ),
  );
  return { startSeconds, samples };
}

/** Hears the tags so many spreads above their means, by the start of a patch. */
function listenerHearing(spreadsAt: (startSeconds: number) => Record<string, number>): TagListener {
  return {
    hear: (tagger, patches) =>
      patches.map(({ startSeconds }) => ({
        startSeconds,
        logits: raiseTags(tagger, spreadsAt(startSeconds)),
        hidden: new Float32Array(),
      })),
    tags: (tagger) => TEST_TAGS[tagger],
    models: () => [],
  };
}

describe('hearStyle', () => {
  it('gives how far the tags of each style stand out, within 2.5 spreads', () => {
    const spreads = { 'msd:Hip-Hop': 1.5, 'msd:blues': -0.5, 'msd:country': 9, 'msd:metal': -9 };
    const listener = listenerHearing(() => spreads);
    const { hipHop, blues, country, metal, happy } = hearStyle(listener, [makeTone(220, 0)])!;
    // Logits have single precision.
    expect(hipHop).toBeCloseTo(1.5, 5);
    expect(blues).toBeCloseTo(-0.5, 5);
    expect(happy).toBeCloseTo(0, 5);
    expect([country, metal]).toEqual([2.5, -2.5]);
  });

  it('takes the mean over the patches, and limits only that', () => {
    const spreads = [
      { 'msd:blues': 1, 'msd:metal': 3 },
      { 'msd:blues': 0.5, 'msd:metal': 0 },
      { 'msd:blues': -3, 'msd:metal': 3 },
    ];
    const patches = spreads.map((_, k) => makeTone(220, k));
    const style = hearStyle(
      listenerHearing((startSeconds) => spreads[startSeconds]!),
      patches,
    )!;
    // As above. Limited patch by patch, these would be -1/3 and 5/3.
    expect(style.blues).toBeCloseTo(-0.5, 5);
    expect(style.metal).toBeCloseTo(2, 5);
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

  it('ignores patches 60 dB below the loudest', () => {
    const loud = makeTone(220, 0, 0.5);
    const [audible, faint] = [
      makeTone(220, 3, 0.5 * 10 ** (-59 / 20)),
      makeTone(220, 6, 0.5 * 10 ** (-61 / 20)),
    ];
    expect(chooseStylePatches([loud, audible, faint])).toEqual([loud, audible]);
    // The level alone does not matter.
    expect(chooseStylePatches([faint])).toEqual([faint]);
  });

  it('reads three patches, evenly spread', () => {
    const music = Array.from({ length: 7 }, (_, k) => makeTone(220, 3 * k));
    // The middles of three thirds of seven.
    expect(chooseStylePatches(music).map(({ startSeconds }) => startSeconds)).toEqual([3, 9, 15]);
  });
});
