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

it('resamples patches to the rate of the taggers', () => {
  const hearAt = (rateHz: number) => {
    const samples = makeSine(Math.round(PATCH_SECONDS * rateHz), 440, rateHz, 0.3);
    return listenWithTaggers(rateHz).hear('msd', [{ startSeconds: 0, samples }])[0]!.logits;
  };
  const [native, resampled] = [hearAt(16_000), hearAt(RATE_HZ)];
  native.forEach((logit, k) => {
    // The network reads its input in steps of 1/2048, far above the error of the resampler.
    expect(resampled[k]).toBeCloseTo(logit, 2);
  });
});

it('raises a soft recording to -40 dBFS, by 40 dB at most, and leaves a louder one as it is', () => {
  const patchAt = (rms: number) => ({
    startSeconds: 0,
    samples: makeSine(Math.round(PATCH_SECONDS * RATE_HZ), 220, RATE_HZ, rms * Math.SQRT2),
  });
  const hear = (rms: number) => listenWithTaggers(RATE_HZ, rms).hear('msd', [patchAt(rms)])[0]!.logits;
  const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Math.max(...Array.from(a, (logit, k) => Math.abs(logit - b[k]!)));
  // At the level of 0.2 that is given for the whole recording, nothing is raised.
  const edge = listenWithTaggers(RATE_HZ, 0.2).hear('msd', [patchAt(10 ** (-40 / 20))])[0]!.logits;
  const [loud, soft, softer, softest] = [0.2, 0.002, 0.0002, 0.00002].map(hear);
  // Samples and logits have single precision.
  expect(distance(soft!, edge)).toBeLessThan(0.001);
  expect(distance(softer!, edge)).toBeLessThan(0.001);
  expect(distance(softest!, edge)).toBeGreaterThan(0.1);
  expect(distance(loud!, edge)).toBeGreaterThan(0.1);
});

it('refuses a model that lacks tags of the taxonomy, such as the other tagger', () => {
  const listener = createTagListener(
    { msd: readTagger('jamendo'), jamendo: readTagger('msd') },
    RATE_HZ,
    0.2,
  );
  expect(() => listener.tags('msd')).toThrow('model tags-jamendo is not the msd tagger: it has no tag blues');
  expect(() => listener.hear('jamendo', [makePatch(0, 220)])).toThrow(
    'model tags-msd is not the jamendo tagger: it has no tag classical',
  );
});

it.each(['instrumental', 'male vocalists'])('refuses a model without the tag %s, which is no word', (tag) => {
  const file = Buffer.from(readTagger('msd'));
  // Its name in the header, in upper case: another tag of the same length.
  file.write(tag.toUpperCase(), file.indexOf(`"${tag}"`) + 1);
  const listener = createTagListener({ msd: file, jamendo: readTagger('jamendo') }, RATE_HZ, 0.2);
  expect(() => listener.tags('msd')).toThrow(`model tags-msd is not the msd tagger: it has no tag ${tag}`);
});
