import { expect, it } from 'vitest';
import { createPacketDecoder } from './codec-config.ts';
import type { PcmEncoding } from './pcm.ts';

const pcm = (encoding: PcmEncoding, bitDepth: number, sampleRateHz = 44_100, channelCount = 2) =>
  createPacketDecoder({ codec: 'pcm', encoding, channelCount, sampleRateHz, bitDepth });
const SIGNED_16: PcmEncoding = { kind: 'signed', bytesPerSample: 2, bigEndian: false };

it.each<[string, PcmEncoding, number]>([
  ['no width, as in Matroska without a BitDepth', { kind: 'signed', bytesPerSample: 0, bigEndian: false }, 0],
  ['64 bits, as CAF can declare', { kind: 'signed', bytesPerSample: 8, bigEndian: false }, 64],
  ['16-bit floats', { kind: 'float', bytesPerSample: 2, bigEndian: false }, 16],
])('refuses PCM of %s', async (_, encoding, bitDepth) => {
  await expect(pcm(encoding, bitDepth)).rejects.toMatchObject({ code: 'unsupported_format' });
});

it.each([Number.POSITIVE_INFINITY, Number.NaN, 0, -44_100])('refuses PCM at %d Hz', async (sampleRateHz) => {
  await expect(pcm(SIGNED_16, 16, sampleRateHz)).rejects.toMatchObject({
    code: 'corrupt_audio',
    message: 'The file declares a sample rate that cannot be.',
  });
});

// A track of QuickTime and of Matroska declares them in 32 and 64 bits.
it.each([0, 257, 2 ** 32 - 1])('refuses PCM of %d channels', async (channelCount) => {
  await expect(pcm(SIGNED_16, 16, 44_100, channelCount)).rejects.toMatchObject({
    code: 'corrupt_audio',
    message: 'The file declares a number of channels that cannot be.',
  });
});

it('decodes 16-bit PCM of two channels', async () => {
  const decoder = await pcm(SIGNED_16, 16);
  const [left, right] = await decoder.decode([Uint8Array.of(0, 0x40, 0, 0xc0)]);
  expect([left, right]).toEqual([Float32Array.of(0.5), Float32Array.of(-0.5)]);
});

it('refuses an unknown codec by the name that the container gives it', async () => {
  await expect(createPacketDecoder({ codec: 'unknown', name: 'A_QUICKTIME' })).rejects.toMatchObject({
    code: 'unsupported_format',
    message: expect.stringContaining('"A_QUICKTIME"'),
  });
});

it('counts the packets of PCM, and joins them', async () => {
  const decoder = await pcm(SIGNED_16, 16);
  // The third packet completes the sample that the second begins.
  const packets = [Uint8Array.of(0, 0x40, 0, 0xc0), Uint8Array.of(0, 0x20), Uint8Array.of(0, 0xe0)];
  expect(decoder.decode(packets)).toEqual([Float32Array.of(0.5, 0.25), Float32Array.of(-0.5, -0.25)]);
  expect(decoder).toMatchObject({ decodedPackets: 3, damagedPackets: 0 });
});
