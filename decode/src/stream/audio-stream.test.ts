import { describe, expect, it } from 'vitest';
import { type Samples, sampleCountOf, trimBlocks, trimTail, vorbisOrderToWav } from './audio-stream.ts';

/** Samples 0, 1, 2, …, in blocks of these lengths. */
function* countingBlocks(...lengths: number[]): Generator<Samples> {
  let next = 0;
  for (const length of lengths) yield [Float32Array.from({ length }, () => next++)];
}

const samplesOf = (blocks: Iterable<Samples>) => [...blocks].flatMap(([channel]) => [...channel!]);
const countTo = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('trimBlocks', () => {
  it.each([
    ['nothing', 0, null, countTo(0, 9)],
    ['samples of the first block', 2, null, countTo(2, 9)],
    ['more than the first block', 4, null, countTo(4, 9)],
    ['samples at both ends', 1, 5, countTo(1, 6)],
    ['everything', 20, null, []],
  ])('drops %s', (_, skipSamples, keepSamples, expected) => {
    expect(samplesOf(trimBlocks(countingBlocks(3, 3, 3), skipSamples, keepSamples))).toEqual(expected);
  });

  it('reads no block after the last one it needs', () => {
    expect([...trimBlocks(countingBlocks(3, 3, 3), 0, 3)]).toHaveLength(1);
  });
});

describe('trimTail', () => {
  it.each([
    ['none', 0, countTo(0, 9)],
    ['some', 4, countTo(0, 5)],
    ['more than was held back', 9, countTo(0, 4)],
  ])('drops padding whose length is known only at the end: %s', (_, paddingSamples, expected) => {
    expect(samplesOf(trimTail(countingBlocks(3, 3, 3), 5, () => paddingSamples))).toEqual(expected);
  });

  it('passes on blocks that cannot be padding before the stream ends', () => {
    const blocks = trimTail(countingBlocks(3, 3, 3, 3), 5, () => {
      throw new Error('called too early');
    });
    expect(sampleCountOf(blocks.next().value!)).toBe(3);
  });
});

describe('vorbisOrderToWav', () => {
  // The orders of Vorbis I, 4.3.9, and of the bits in the channel mask of WAVEFORMATEXTENSIBLE.
  it.each([
    ['L C R', 'L R C'],
    ['FL C FR RL RR', 'FL FR C RL RR'],
    ['FL C FR RL RR LFE', 'FL FR C LFE RL RR'],
    ['FL C FR SL SR RC LFE', 'FL FR C LFE RC SL SR'],
    ['FL C FR SL SR RL RR LFE', 'FL FR C LFE RL RR SL SR'],
    ['L R', 'L R'],
  ])('%s becomes %s', (vorbis, wav) => {
    const names = vorbis.split(' ');
    const samples = names.map((_, index) => Float32Array.of(index));
    expect(vorbisOrderToWav(samples).map(([index]) => names[index!])).toEqual(wav.split(' '));
  });
});
