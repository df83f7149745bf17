import { expect, it } from 'vitest';
import { createPacketDecoder } from './codec-config.ts';
import type { PcmEncoding } from './pcm.ts';

const pcm = (encoding: PcmEncoding, bitDepth: number) =>
  createPacketDecoder({ codec: 'pcm', encoding, channelCount: 2, sampleRateHz: 44_100, bitDepth });

it.each<[string, PcmEncoding, number]>([
  ['no width, as Matroska without its BitDepth', { kind: 'signed', bytesPerSample: 0, bigEndian: false }, 0],
  ['64 bits, as CAF may declare', { kind: 'signed', bytesPerSample: 8, bigEndian: false }, 64],
  ['floats of 16 bits', { kind: 'float', bytesPerSample: 2, bigEndian: false }, 16],
])('refuses PCM of %s', async (_, encoding, bitDepth) => {
  await expect(pcm(encoding, bitDepth)).rejects.toMatchObject({ code: 'unsupported_format' });
});

it('decodes PCM that it knows', async () => {
  const decoder = await pcm({ kind: 'signed', bytesPerSample: 2, bigEndian: false }, 16);
  const [left, right] = await decoder.decode([Uint8Array.of(0, 0x40, 0, 0xc0)]);
  expect([left, right]).toEqual([Float32Array.of(0.5), Float32Array.of(-0.5)]);
});
