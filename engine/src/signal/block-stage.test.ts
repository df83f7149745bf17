import { describe, expect, it } from 'vitest';
import {
  createBlockStage,
  STAGE_HISTORY_SAMPLES,
  STAGE_SAMPLES,
  STAGE_STRIDE_SAMPLES,
  type StagedBlock,
} from './block-stage.ts';
import { createKernels } from './kernels.ts';

const kernels = createKernels();
const read = (pointer: number, samples: number) =>
  Array.from(new Float32Array(kernels.exports.memory.buffer, pointer, samples));

/** The blocks that the stage makes of these samples if pushed in pieces of these lengths; the second channel is the first one negated. */
function stage(samples: readonly number[], cuts: readonly number[]) {
  const blocks: { own: number[]; history: number[]; other: number[]; padding: number[]; peaks: number[] }[] =
    [];
  const stage = createBlockStage(kernels, 2, ({ channels, peaks, sampleCount }: StagedBlock) => {
    const [left, right] = channels as [number, number];
    const bytes = Float32Array.BYTES_PER_ELEMENT;
    blocks.push({
      own: read(left, sampleCount),
      other: read(right, sampleCount),
      history: read(left - STAGE_HISTORY_SAMPLES * bytes, STAGE_HISTORY_SAMPLES),
      padding: read(left + sampleCount * bytes, STAGE_SAMPLES - sampleCount),
      peaks: [...peaks],
    });
    expect(right - left).toBe(STAGE_STRIDE_SAMPLES * bytes);
  });
  let from = 0;
  for (const length of [...cuts, samples.length]) {
    const part = Float32Array.from(samples.slice(from, from + length));
    stage.push({ channels: [part, part.map((value) => -value)] });
    from += length;
  }
  return { blocks, ...stage.finish() };
}

const ramp = (length: number) => Array.from({ length }, (_, index) => Math.fround((index + 1) / 10_000));

describe.each([4095, 4096, 4097, 9000])('%i samples', (length) => {
  const samples = ramp(length);

  it.each([[[]], [[1, 0, 4094, 3]], [[4096]], [[700, 700, 700]]])(
    'make the same blocks when pushed in pieces of %j',
    (cuts) => {
      const { blocks, nonFiniteSamples } = stage(samples, cuts);
      expect(blocks.flatMap(({ own }) => own)).toEqual(samples);
      expect(blocks.flatMap(({ other }) => other)).toEqual(samples.map((value) => -value));
      expect(blocks.slice(0, -1).every(({ own }) => own.length === STAGE_SAMPLES)).toBe(true);
      expect(nonFiniteSamples).toBe(0);
      blocks.forEach(({ own, history, padding, peaks }, index) => {
        const before = index * STAGE_SAMPLES;
        const zeros = Array<number>(STAGE_HISTORY_SAMPLES).fill(0);
        expect(history).toEqual([...zeros, ...samples.slice(0, before)].slice(-STAGE_HISTORY_SAMPLES));
        expect(padding.every((value) => value === 0)).toBe(true);
        expect(peaks).toEqual([own.at(-1), own.at(-1)]);
      });
    },
  );
});

it('zeroes and counts samples that are not finite or beyond 64 times full scale', () => {
  const { blocks, nonFiniteSamples } = stage([0.5, Number.NaN, 64, 65, Number.POSITIVE_INFINITY, -1], []);
  expect(blocks[0]!.own).toEqual([0.5, 0, 64, 0, 0, -1]);
  // Three in each of the two channels.
  expect(nonFiniteSamples).toBe(6);
});

it('refuses a block with another number of channels, or with channels of two lengths', () => {
  const stage = createBlockStage(kernels, 2, () => {});
  const wrong = 'a block must hold 2 channels of one length';
  expect(() => stage.push({ channels: [new Float32Array(1)] })).toThrow(wrong);
  expect(() => stage.push({ channels: [new Float32Array(1), new Float32Array(2)] })).toThrow(wrong);
});
