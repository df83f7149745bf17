import { describe, expect, it } from 'vitest';
import { decodeEach, joinSamples, settleFormat } from './packet-decoder.ts';

const format = { codec: 'Test', decoder: 'test', sampleRateHz: 0, channelCount: 0, bitDepth: null };
const mono = (...values: number[]) => [Float32Array.from(values)];

describe('decodeEach', () => {
  it('joins the samples of all packets, and counts decoded and damaged ones but not empty ones', () => {
    const results = [mono(1, 2), null, [], mono(3)];
    const decoder = decodeEach({ ...format, channelCount: 1 }, ([index]) => results[index!]!);
    const packets = results.map((_, index) => Uint8Array.of(index));
    expect(decoder.decode(packets)).toEqual(mono(1, 2, 3));
    expect(decoder).toMatchObject({ decodedPackets: 2, damagedPackets: 1 });
    expect(decoder.decode([packets[3]!])).toEqual(mono(3));
    expect(decoder).toMatchObject({ decodedPackets: 3, damagedPackets: 1 });
  });

  it('gives empty channels when all packets are damaged', () => {
    const decoder = decodeEach({ ...format, channelCount: 2 }, () => null);
    expect(decoder.decode([new Uint8Array(1)])).toEqual([new Float32Array(0), new Float32Array(0)]);
  });
});

describe('settleFormat', () => {
  const decoder = decodeEach(format, (packet, settled) => {
    const [channelCount, kilohertz] = packet as unknown as [number, number];
    const channels = Array.from({ length: channelCount }, () => new Float32Array(1));
    return settleFormat(settled, channels, kilohertz * 1000);
  });

  it('takes the format of the first samples, and refuses samples of another', () => {
    expect(decoder.decode([Uint8Array.of(0, 0)])).toEqual([]);
    expect(decoder).toMatchObject({ channelCount: 0, sampleRateHz: 0 });
    decoder.decode([Uint8Array.of(2, 48)]);
    expect(decoder).toMatchObject({ channelCount: 2, sampleRateHz: 48_000 });
    for (const other of [Uint8Array.of(1, 48), Uint8Array.of(2, 44)]) {
      expect(() => decoder.decode([other])).toThrow(expect.objectContaining({ code: 'unsupported_format' }));
    }
  });
});

it('joinSamples joins each channel, and leaves out pieces without channels', () => {
  const pieces = [[Float32Array.of(1), Float32Array.of(2)], [], [Float32Array.of(3), Float32Array.of(4)]];
  expect(joinSamples(pieces, 2)).toEqual([Float32Array.of(1, 3), Float32Array.of(2, 4)]);
});
