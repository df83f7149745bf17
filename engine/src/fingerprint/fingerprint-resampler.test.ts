import { expect, it } from 'vitest';
import { createBlockStage } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { cutRandomly, makeMusic, makeNoise } from '../signal/test-signals.ts';
import { createFingerprintResampler } from './fingerprint-resampler.ts';
import { resampleIntegersTwin } from './fingerprint-resampler-twin.ts';

// chromaprint.slow.test.ts compares with fpcalc itself.

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
  // Turns the negative zeros of floats into zeros.
  return [...Int16Array.from(out)];
}

const twinOf = (signal: Float32Array, sampleRateHz: number): number[] =>
  resampleIntegersTwin(
    signal.map((value) => value * 32768),
    sampleRateHz,
  );

it.each([8_000, 11_025, 16_000, 22_050, 44_100, 48_000])(
  'integers from %d Hz equal their twin',
  (sampleRateHz) => {
    const noise = toSixteenBits(makeNoise(20_000, 0.9));
    expect(resample([noise], sampleRateHz)).toEqual(twinOf(noise, sampleRateHz));
  },
);

it.each([0, 1, 66, 80, 81, 100])('%d samples through a filter of 80 taps equal their twin', (count) => {
  const noise = toSixteenBits(makeNoise(count, 0.9));
  const out = resample([noise], 44_100);
  expect(out).toEqual(twinOf(noise, 44_100));
  expect(out.length > 0).toBe(count > 80);
});

it('silence at the start does not decide whether a source has 16 bits', () => {
  const head = new Float32Array(10_000);
  const music = makeMusic(44_100, 1);
  const floats = Float32Array.from([...head, ...music]);
  const integers = Float32Array.from([...head, ...toSixteenBits(music)]);
  // Inaudible and not of 16 bits: the float path is taken from the first block on.
  const shown = floats.with(0, 1e-7);
  expect(resample([integers], 44_100)).toEqual(twinOf(integers, 44_100));
  expect(resample([floats], 44_100)).toEqual(resample([shown], 44_100));
  expect(resample([floats], 44_100)).not.toEqual(twinOf(integers, 44_100));
});

it('two channels of integers are the mean of their twins, with halves rounded up', () => {
  const [left, right] = [1, 2].map((seed) => toSixteenBits(makeNoise(20_000, 0.9, seed))) as [
    Float32Array,
    Float32Array,
  ];
  const rightTwin = twinOf(right, 44_100);
  const sums = twinOf(left, 44_100).map((value, n) => value + rightTwin[n]!);
  // Halves of both signs occur, so that neither truncation nor rounding away from zero passes.
  expect([1, -1].filter((half) => !sums.some((sum) => sum % 2 === half))).toEqual([]);
  expect(resample([left, right], 44_100)).toEqual(sums.map((sum) => (sum + 1) >> 1));
});

it('three channels of integers are the mean of their twins', () => {
  const channels = [1, 2, 3].map((seed) => toSixteenBits(makeNoise(20_000, 0.9, seed)));
  const twins = channels.map((channel) => twinOf(channel, 44_100));
  const mean = twins[0]!.map((_, n) => Math.floor(twins.reduce((sum, twin) => sum + twin[n]!, 0) / 3 + 0.5));
  expect(resample(channels, 44_100)).toEqual(mean);
});

it.each([
  ['16 bits', toSixteenBits(makeNoise(20_000, 0.9, 1))],
  ['silence', new Float32Array(20_000)],
])('a channel of floats beside one of %s makes a source of floats', (_name, left) => {
  const right = makeNoise(20_000, 0.9, 2);
  // Half of a sum is exact.
  const mean = left.map((value, n) => Math.fround(value + right[n]!) / 2);
  expect(resample([left, right], 44_100)).toEqual(resample([mean], 44_100));
});

it('three channels of floats are resampled as their mean', () => {
  const channels = [1, 2, 3].map((seed) => makeNoise(20_000, 0.9, seed));
  const mean = channels[0]!.map((_, n) => channels.reduce((sum, channel) => sum + channel[n]!, 0) / 3);
  const expected = resample([mean], 44_100);
  const out = resample(channels, 44_100);
  expect(out).toHaveLength(expected.length);
  // Errors of single precision may round a few samples the other way.
  const errors = out.map((value, n) => Math.abs(value - expected[n]!));
  expect(Math.max(...errors)).toBeLessThanOrEqual(1);
  expect(errors.filter((error) => error > 0).length).toBeLessThan(expected.length / 100);
});
