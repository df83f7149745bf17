import { expect, it } from 'vitest';
import { createBlockStage } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { cutRandomly, makeMusic, makeNoise } from '../signal/test-signals.ts';
import { createFingerprintResampler } from './fingerprint-resampler.ts';
import { resampleIntegersReference } from './fingerprint-resampler-twin.ts';

// Equality with fpcalc itself is in chromaprint.slow.test.ts.

const toSixteenBits = (signal: Float32Array): Float32Array =>
  signal.map((value) => Math.round(value * 32768) / 32768);

function resample(channels: Float32Array[], sampleRateHz: number): number[] {
  const kernels = createKernels();
  const resampler = createFingerprintResampler(kernels, sampleRateHz, channels.length);
  const out: number[] = [];
  const stage = createBlockStage(kernels, channels.length, (block) => out.push(...resampler.push(block)));
  const cut = channels.map((channel) => cutRandomly(channel, 3000));
  for (const piece of cut[0]!.keys()) stage.push({ channels: cut.map((pieces) => pieces[piece]!) });
  stage.finish();
  // Floats have two zeros, integers one.
  return [...Int16Array.from(out)];
}

const twinOf = (signal: Float32Array, sampleRateHz: number): number[] =>
  resampleIntegersReference(
    signal.map((value) => value * 32768),
    sampleRateHz,
  );

it.each([8_000, 11_025, 16_000, 22_050, 44_100, 48_000])(
  'integers from %d Hz equal their twin',
  (sampleRateHz) => {
    const noise = toSixteenBits(makeNoise(20_000, 0.9, sampleRateHz));
    expect(resample([noise], sampleRateHz)).toEqual(twinOf(noise, sampleRateHz));
  },
);

it.each([0, 1, 66, 80, 81, 100])('%d samples, of a filter of 80 taps, equal their twin', (count) => {
  const noise = toSixteenBits(makeNoise(count, 0.9));
  const out = resample([noise], 44_100);
  expect(out).toEqual(twinOf(noise, 44_100));
  expect(out.length > 0).toBe(count > 80);
});

it('silence at the head does not decide the kind of the source', () => {
  const head = new Float32Array(10_000);
  const music = makeMusic(44_100, 1);
  const floats = Float32Array.from([...head, ...music]);
  const integers = Float32Array.from([...head, ...toSixteenBits(music)]);
  // Too quiet to be heard and no integer: it shows the kind of the source at once.
  const shown = floats.with(0, 1e-7);
  expect(resample([integers], 44_100)).toEqual(twinOf(integers, 44_100));
  expect(resample([floats], 44_100)).toEqual(resample([shown], 44_100));
  expect(resample([floats], 44_100)).not.toEqual(twinOf(integers, 44_100));
});

it('three channels of integers are the mean of their twins, halves up', () => {
  const channels = [1, 2, 3].map((seed) => toSixteenBits(makeNoise(20_000, 0.9, seed)));
  const twins = channels.map((channel) => twinOf(channel, 44_100));
  const mean = twins[0]!.map((_, n) => Math.floor(twins.reduce((sum, twin) => sum + twin[n]!, 0) / 3 + 0.5));
  expect(resample(channels, 44_100)).toEqual(mean);
});

it('three channels of floats are their mean', () => {
  const channels = [1, 2, 3].map((seed) => makeNoise(20_000, 0.9, seed));
  const mean = channels[0]!.map((_, n) => channels.reduce((sum, channel) => sum + channel[n]!, 0) / 3);
  const expected = resample([mean], 44_100);
  // Single precision may fall on the other side of a half.
  const away = resample(channels, 44_100).filter((value, n) => value !== expected[n]);
  expect(away.length).toBeLessThan(expected.length / 100);
});
