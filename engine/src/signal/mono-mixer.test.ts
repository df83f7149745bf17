import { expect, it } from 'vitest';
import { STAGE_SAMPLES, STAGE_STRIDE_SAMPLES } from './block-stage.ts';
import { createKernels } from './kernels.ts';
import { createMonoMixer } from './mono-mixer.ts';
import { makeNoise } from './test-signals.ts';

/** Mixes consecutive blocks, each given as its channels. */
function mixBlocks(...blocks: Float32Array[][]): number[][] {
  const kernels = createKernels();
  const channelCount = blocks[0]!.length;
  const staged = kernels.allocateFloats(channelCount * STAGE_STRIDE_SAMPLES);
  const mixer = createMonoMixer(kernels, channelCount);
  return blocks.map((samples) => {
    const sampleCount = samples[0]!.length;
    for (const [index, channel] of samples.entries()) {
      staged.view.set(channel, index * STAGE_STRIDE_SAMPLES);
    }
    const channels = samples.map(
      (_, index) => staged.pointer + index * STAGE_STRIDE_SAMPLES * Float32Array.BYTES_PER_ELEMENT,
    );
    mixer.mix({ channels, peaks: samples.map(() => 1), sampleCount });
    return Array.from(mixer.output.view.subarray(0, sampleCount));
  });
}

const mean = (left: Float32Array, right: Float32Array) =>
  Array.from(left, (sample, n) => Math.fround((sample + right[n]!) / 2));
const invert = (samples: Float32Array) => samples.map((sample) => -sample);
const scale = (samples: Float32Array, gain: number) => samples.map((sample) => gain * sample);
const [first, second] = [makeNoise(STAGE_SAMPLES, 0.5, 1), makeNoise(STAGE_SAMPLES, 0.5, 2)];

it('is the mean of channels that are alike, unrelated or silent', () => {
  for (const other of [first, second, new Float32Array(STAGE_SAMPLES)]) {
    expect(mixBlocks([first, other])).toEqual([mean(first, other)]);
  }
});

it('is half the difference of channels of opposite polarity, even if one is softer', () => {
  for (const gain of [1, 0.6]) {
    const other = scale(first, gain);
    expect(mixBlocks([first, invert(other)])).toEqual([mean(first, other)]);
  }
});

it('is half the difference from a correlation of -0.5 down', () => {
  // Channels of equal energy: y = c x + sqrt(1 - c²) z. The correlation of x and z in 4,096 samples of noise is at most about 0.03.
  const correlated = (c: number) => first.map((sample, n) => c * sample + Math.sqrt(1 - c * c) * second[n]!);
  const [above, below] = [correlated(-0.45), correlated(-0.55)];
  expect(mixBlocks([first, above])).toEqual([mean(first, above)]);
  expect(mixBlocks([first, below])).toEqual([mean(first, invert(below))]);
});

it('depends on the whole signal so far: a soft effect in opposite polarity changes nothing', () => {
  const effect = scale(second, 0.3);
  const blocks = mixBlocks([first, first], [effect, invert(effect)]);
  expect(blocks[1]!.every((sample) => sample === 0)).toBe(true);
});

it('is the mean of what is softer than one block at -80 dBFS, whatever its polarity', () => {
  // The energy of both channels counts: each has an RMS of 1e-4 / √2.
  for (const [amplitude, mixed] of [
    [7e-5, 0],
    [7.1e-5, Math.fround(7.1e-5)],
  ] as const) {
    const constant = new Float32Array(STAGE_SAMPLES).fill(amplitude);
    expect(mixBlocks([constant, invert(constant)])).toEqual([Array(STAGE_SAMPLES).fill(mixed)]);
  }
});

it('is the mean of four channels, whatever their polarity', () => {
  const other = invert(first);
  expect(mixBlocks([first, other, other, first])[0]!.every((sample) => sample === 0)).toBe(true);
});
