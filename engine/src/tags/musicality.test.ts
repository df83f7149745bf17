import { expect, it } from 'vitest';
import { makeMusic, makeNoise, makeSpeech } from '../signal/test-signals.ts';
import { hearTags } from './hear-tags.ts';
import { rateMusicality } from './musicality.ts';
import { PATCH_SECONDS } from './patch-keeper.ts';
import { listenWithTaggers } from './test-taggers.ts';

const RATE_HZ = 22_050;
const rate = (samples: Float32Array): number =>
  rateMusicality(hearTags(listenWithTaggers(RATE_HZ), [{ startSeconds: 0, samples }]));

const UNITS = 200;
/** A patch whose hidden unit `unit` has this value, all others being 0. */
const patchWith = (unit: number, value: number) => ({
  startSeconds: 0,
  logits: new Float32Array(),
  hidden: new Float32Array(UNITS).with(unit, value),
});

it('adds to the bias the weight of each unit times log(1 + its mean over the patches)', () => {
  const silent = patchWith(0, 0);
  expect(rateMusicality({ patches: { msd: [silent], jamendo: [silent] } })).toBe(-5.31);
  // A mean of e - 1, whose logarithm is 1. The weights are those of the first unit.
  const msd = [patchWith(0, 2 * (Math.E - 1)), silent];
  expect(rateMusicality({ patches: { msd, jamendo: [silent] } })).toBeCloseTo(-5.31 - 0.231, 6);
  // Hidden units have single precision.
  const jamendo = [patchWith(0, Math.E - 1)];
  expect(rateMusicality({ patches: { msd: [silent], jamendo } })).toBeCloseTo(-5.31 - 0.025, 6);
});

it('rates steady noise and speech-like sound as no music, and chords over a beat higher than either', () => {
  const music = rate(makeMusic(RATE_HZ, PATCH_SECONDS));
  const noise = rate(makeNoise(Math.round(PATCH_SECONDS * RATE_HZ), 0.2));
  const speech = rate(makeSpeech(RATE_HZ, PATCH_SECONDS));
  expect(noise).toBeLessThan(0);
  expect(speech).toBeLessThan(0);
  expect(music).toBeGreaterThan(Math.max(noise, speech));
});
