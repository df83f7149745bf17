import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeMusic, makeNoise, makeSpeech } from '../signal/test-signals.ts';
import { hearTags } from './hear-tags.ts';
import { rateMusicality } from './musicality.ts';
import { PATCH_SECONDS } from './patch-keeper.ts';
import { createTagListener } from './tag-listener.ts';

const RATE_HZ = 22_050;
const readWeights = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../models/${name}`, import.meta.url)));
const models = { msd: readWeights('tags-msd-v1.bin'), jamendo: readWeights('tags-jamendo-v1.bin') };
const rate = (samples: Float32Array): number =>
  rateMusicality(hearTags(createTagListener(models, RATE_HZ), [{ startSeconds: 0, samples }]));

it('rates steady noise and speech-like sound as no music, and chords over a beat higher than either', () => {
  const music = rate(makeMusic(RATE_HZ, PATCH_SECONDS));
  const noise = rate(makeNoise(Math.round(PATCH_SECONDS * RATE_HZ), 0.2));
  const speech = rate(makeSpeech(RATE_HZ, PATCH_SECONDS));
  expect(noise).toBeLessThan(0);
  expect(speech).toBeLessThan(0);
  expect(music).toBeGreaterThan(Math.max(noise, speech));
});
