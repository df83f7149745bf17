import { expect, it } from 'vitest';
import { silence } from './silence.ts';

it('is a silent WAV file of one channel and eight bits with the given duration', async () => {
  const file = Buffer.from(await silence(2.5).arrayBuffer());
  expect([file.toString('latin1', 0, 4), file.toString('latin1', 8, 16)]).toEqual(['RIFF', 'WAVEfmt ']);
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  // The length of the format in bytes, and linear PCM.
  expect([file.readUInt32LE(16), file.readUInt16LE(20)]).toEqual([16, 1]);
  const [channels, sampleRateHz, bitsPerSample] = [
    file.readUInt16LE(22),
    file.readUInt32LE(24),
    file.readUInt16LE(34),
  ];
  const samples = file.subarray(44);
  expect([channels, bitsPerSample, samples.length / sampleRateHz]).toEqual([1, 8, 2.5]);
  // Bytes per second, and per sample.
  expect([file.readUInt32LE(28), file.readUInt16LE(32)]).toEqual([sampleRateHz, 1]);
  expect([file.toString('latin1', 36, 40), file.readUInt32LE(40)]).toEqual(['data', samples.length]);
  expect(new Set(samples)).toEqual(new Set([128]));
});
