import { describe, expect, it } from 'vitest';
import type { Content } from '../result.ts';
import { analyseTags } from './analyse-tags.ts';
import type { TagListener } from './tag-listener.ts';

const DURATION_SECONDS = 30;
const patches = [0, 3, 6, 9].map((startSeconds) => ({ startSeconds, samples: new Float32Array(1) }));

/** Where there is nothing to name, nobody listens. */
const listener: TagListener = {
  hear: () => {
    throw new Error('a tagger was asked');
  },
  tags: () => [],
  models: () => [],
};

type Region = Content['regions'][number];
const region = (kind: Region['kind'], startSeconds: number, endSeconds: number): Region => ({
  kind,
  startSeconds,
  endSeconds,
  confidence: 1,
});

function analyse(
  regions: Region[],
  noMusic: 'speech' | 'noise' | null = null,
  ears: TagListener | null = listener,
) {
  const input = { patches, listener: ears, durationSeconds: DURATION_SECONDS, isStill: false, isBare: false };
  return analyseTags(input, { regions }, [], noMusic);
}

describe('no tags', () => {
  const music = [region('music', 0, DURATION_SECONDS)];

  it.each([
    ['without models', analyse(music, null, null), 'no_model'],
    ['of speech', analyse(music, 'speech'), 'speech'],
    ['of a few seconds of music', analyse([region('music', 0, 8), region('speech', 8, 30)]), 'too_short'],
    ['of nothing', analyse([]), 'too_short'],
    [
      'of what is not music, for the longest of it',
      analyse([region('silence', 0, 10), region('noise', 10, 30)]),
      'noise',
    ],
  ] as const)('%s', (_, { tags, ...given }, reason) => {
    expect(tags).toBeNull();
    expect(given).toEqual({ reason, moodsReason: reason, noMusic: null, hidden: null });
  });
});
