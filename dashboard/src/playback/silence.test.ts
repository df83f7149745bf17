import { expect, it } from 'vitest';
import { silence } from './silence.ts';

it('is a silent WAV file of one channel and eight bits with the given duration', async () => {
  const file = Buffer.from(await silence(2.5).arrayBuffer());
  expect([file.toString('latin1', 0, 4), file.toString('latin1', 8, 16)]).toEqual(['RIFF', 'WAVEfmt ']);
  expect(file.readUInt32LE(4)).toBe(file.length - 8);
  const [channels, sampleRateHz, bitsPerSample] = [
    file.readUInt16LE(22),
    file.readUInt32LE(24),
    file.readUInt16LE(34),
  ];
  const samples = file.subarray(44);
  expect([channels, bitsPerSample, samples.length / sampleRateHz]).toEqual([1, 8, 2.5]);
  expect(file.readUInt32LE(40)).toBe(samples.length);
  expect(new Set(samples)).toEqual(new Set([128]));
});
