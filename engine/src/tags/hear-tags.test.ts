import { expect, it } from 'vitest';
import { hearTags } from './hear-tags.ts';
import type { TagListener } from './tag-listener.ts';

it('runs the first tagger on every patch, and the second on three evenly spread ones', () => {
  const listener: TagListener = {
    hear: (tagger, patches) =>
      patches.map(({ startSeconds }) => ({
        startSeconds,
        logits: Float32Array.of(tagger === 'msd' ? 1 : 2),
        hidden: new Float32Array(),
      })),
    tags: (tagger) => [tagger],
    models: () => [],
  };
  const starts = [0, 10, 20, 30, 40, 50, 60];
  const { tags, patches } = hearTags(
    listener,
    starts.map((startSeconds) => ({ startSeconds, samples: new Float32Array() })),
  );
  expect(tags).toEqual({ msd: ['msd'], jamendo: ['jamendo'] });
  expect(patches.msd.map(({ startSeconds }) => startSeconds)).toEqual(starts);
  // The middle of each third.
  expect(patches.jamendo.map(({ startSeconds }) => startSeconds)).toEqual([10, 30, 50]);
  expect([patches.msd[0]!.logits[0], patches.jamendo[0]!.logits[0]]).toEqual([1, 2]);
});
