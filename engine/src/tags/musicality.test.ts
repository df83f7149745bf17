import { expect, it } from 'vitest';
import { makeMusic, makeNoise, makeSpeech } from '../signal/test-signals.ts';
import { hearTags } from './hear-tags.ts';
import { rateMusicality } from './musicality.ts';
import { PATCH_SECONDS } from './patch-keeper.ts';
import { listenWithTaggers } from './test-taggers.ts';

const RATE_HZ = 22_050;
const rate = (samples: Float32Array): number =>
  rateMusicality(hearTags(listenWithTaggers(RATE_HZ), [{ startSeconds: 0, samples }]));

it('rates steady noise and speech-like sound as no music, and chords over a beat higher than either', () => {
  const music = rate(makeMusic(RATE_HZ, PATCH_SECONDS));
  const noise = rate(makeNoise(Math.round(PATCH_SECONDS * RATE_HZ), 0.2));
  const speech = rate(makeSpeech(RATE_HZ, PATCH_SECONDS));
  expect(noise).toBeLessThan(0);
  expect(speech).toBeLessThan(0);
  expect(music).toBeGreaterThan(Math.max(noise, speech));
});
