import { expect, it } from 'vitest';
import { makeSine } from '../signal/test-signals.ts';
import { PATCH_SECONDS } from './patch-keeper.ts';
import { createTagListener } from './tag-listener.ts';
import { listenWithTaggers, readTagger } from './test-taggers.ts';

const RATE_HZ = 22_050;
const makePatch = (startSeconds: number, frequencyHz: number) => ({
  startSeconds,
  samples: makeSine(Math.round(PATCH_SECONDS * RATE_HZ), frequencyHz, RATE_HZ, 0.3),
});

it('runs a tagger once on each patch, and lists the taggers that ran', () => {
  const listener = listenWithTaggers(RATE_HZ);
  const [low, high] = [makePatch(0, 220), makePatch(3, 880)];
  const [first] = listener.hear('msd', [low]);
  const [other, again] = listener.hear('msd', [high, low]);
  expect(again).toBe(first);
  expect(other).toMatchObject({ startSeconds: 3 });
  expect(other!.logits).not.toEqual(first!.logits);
  expect(listener.models().map(({ name }) => name)).toEqual(['tags-msd']);
});

it('refuses a model without the tags of the taxonomy, as one tagger in the place of the other', () => {
  const listener = createTagListener({ msd: readTagger('jamendo'), jamendo: readTagger('msd') }, RATE_HZ);
  expect(() => listener.tags('msd')).toThrow('model tags-jamendo is not the msd tagger: it has no tag blues');
  expect(() => listener.hear('jamendo', [makePatch(0, 220)])).toThrow(
    'model tags-msd is not the jamendo tagger: it has no tag classical',
  );
});
