import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createBlockStage } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { makeMusic, makeNoise, makeSine } from '../signal/test-signals.ts';
import { type Chromaprint, createChromaprintCollector } from './chromaprint.ts';
import { classifyImage } from './classifiers.ts';
import { compressFingerprint } from './compress.ts';

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

describe('plain signals', () => {
  it.each([0, 1, 44_100, 119_000])('%d samples are too few', (count) => {
    expect(fingerprint([makeNoise(count)], 44_100).chromaprint).toBeNull();
  });

  it('make their first word in 2.8 seconds', () => {
    const { chromaprint } = fingerprint([makeNoise(2.8 * 44_100)], 44_100);
    // Of the header, the last three bytes are the number of words.
    expect([...Buffer.from(chromaprint!, 'base64url').subarray(0, 4)]).toEqual([1, 0, 0, 1]);
  });

  it('cover at most 120 seconds', () => {
    const long = fingerprint([makeSine(8_000 * 130, 440, 8_000)], 8_000);
    expect(long.chromaprintDurationSeconds).toBe(120);
  });

  it('begin with the same words at a quarter of the gain', () => {
    const music = makeMusic(44_100, 10);
    const loud = fingerprint([music], 44_100).chromaprint!;
    const soft = fingerprint([music.map((value) => value / 4)], 44_100).chromaprint!;
    // Columns are scaled to unit length; only the rounding to 16 bits differs.
    expect(soft.slice(0, 20)).toBe(loud.slice(0, 20));
  });
});

describe('the text form', () => {
  it('of one word spells out its bits', () => {
    // Header 01 00 00 01; bits 1, 4 and 12 are set: distances 1, 3, 8 (7 and 1 more) and the end, in three bits each from below:
    // 001, 011, 111, 000 -> 11011001 0001 -> d9 01; the exception 1 in five bits -> 01.
    const bytes = [0x01, 0x00, 0x00, 0x01, 0xd9, 0x01, 0x01];
    const expected = Buffer.from(bytes).toString('base64url');
    expect(compressFingerprint(Uint32Array.of(0b1000_0000_1001))).toBe(expected);
  });

  it('of no words is the header', () => {
    expect(compressFingerprint(new Uint32Array(0))).toBe(Buffer.from([1, 0, 0, 0]).toString('base64url'));
  });
});

it('a word needs sixteen columns', () => {
  const column = () => new Float64Array(12).fill(1 / Math.sqrt(12));
  expect(classifyImage(Array.from({ length: 15 }, column))).toHaveLength(0);
  expect(classifyImage(Array.from({ length: 17 }, column))).toHaveLength(2);
});
