import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createBlockStage } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeMusic, makeNoise, makeSine } from '../signal/test-signals.ts';
import { type Chromaprint, createChromaprintCollector } from './chromaprint.ts';

function fingerprint(channels: Float32Array[], sampleRateHz: number): Chromaprint {
  const kernels = createKernels();
  const collector = createChromaprintCollector(kernels, sampleRateHz, channels.length);
  const stage = createBlockStage(kernels, channels.length, collector.take);
  stage.push({ channels });
  stage.finish();
  return collector.finish();
}

const toSixteenBits = (signal: Float32Array): Float32Array =>
  signal.map((value) => Math.round(value * 32768) / 32768);

type Vector = {
  sampleRateHz: number;
  channelCount: number;
  bits: number;
  seconds: number;
  fingerprint: string;
};
const VECTORS = JSON.parse(
  readFileSync(new URL('./fixtures/fingerprints.json', import.meta.url), 'utf8'),
) as Vector[];

it.each(VECTORS)('equals fpcalc at $sampleRateHz Hz, $channelCount channels of $bits bits', (vector) => {
  const { sampleRateHz, channelCount, bits, seconds } = vector;
  const channels = Array.from({ length: channelCount }, (_, c) => makeMusic(sampleRateHz, seconds, c + 1));
  const heard = bits === 16 ? channels.map(toSixteenBits) : channels;
  expect(fingerprint(heard, sampleRateHz).chromaprint).toBe(vector.fingerprint);
});

describe('a fingerprint', () => {
  it.each([0, 1, 44_100, 120_160])('is null for %d samples', (count) => {
    expect(fingerprint([makeNoise(count)], 44_100).chromaprint).toBeNull();
  });

  it('has its first word after 2.73 seconds', () => {
    // Sixteen columns smoothed over five are 20 frames of 4096 samples, 1365 apart, at a quarter of the rate; the last needs 40 more.
    const { chromaprint } = fingerprint([makeNoise(120_161)], 44_100);
    // The header: the algorithm, and the number of words in three bytes.
    expect([...Buffer.from(chromaprint!, 'base64url').subarray(0, 4)]).toEqual([1, 0, 0, 1]);
  });

  it('covers at most 120 seconds', () => {
    const long = makeSine(8_000 * 130, 440, 8_000);
    const other = long.slice();
    // The filter looks a few samples ahead.
    other.set(makeNoise(8_000 * 9), 8_000 * 121);
    expect(fingerprint([long], 8_000).chromaprintDurationSeconds).toBe(120);
    expect(fingerprint([other], 8_000)).toEqual(fingerprint([long], 8_000));
  });

  it('starts with the same words at a quarter of the gain', () => {
    const music = makeMusic(44_100, 10);
    const loud = fingerprint([music], 44_100).chromaprint!;
    const soft = fingerprint([music.map((value) => value / 4)], 44_100).chromaprint!;
    // Columns are scaled to unit length; only the rounding to 16 bits differs.
    expect(soft.slice(0, 20)).toBe(loud.slice(0, 20));
  });
});
