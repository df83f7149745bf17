import { expect, it } from 'vitest';
import { wavBytes } from '../../../scripts/wav-bytes.mjs';
import { aiffOf, chunkOf, floatSamples, wavOf } from './riff-files.ts';

it('writes the same file as another writer when nothing is false', () => {
  const samples = Int16Array.from([1, -2, 3, -4]);
  const fields = { channelCount: 2, sampleRateHz: 44_100 };
  expect(wavOf({ ...fields, samples: Buffer.from(samples.buffer) })).toEqual(wavBytes(samples, fields));
  const floats = [0.5, -1];
  expect(wavOf({ format: 3, sampleBits: 32, samples: floatSamples(floats) })).toEqual(
    wavBytes(Float32Array.from(floats), { sampleRateHz: 8_000 }),
  );
});

it('writes false values where they are asked for, and the rest as it is', () => {
  const samples = Buffer.alloc(4);
  const honest = wavOf({ samples });
  const changed = (fields: Parameters<typeof wavOf>[0]) => {
    const bytes = wavOf({ samples, ...fields });
    return [...bytes.entries()].filter(([at, byte]) => byte !== honest[at]).map(([at]) => at);
  };
  // The offsets of the canonical 44-byte header; 0xffffffff differs from the true value in every byte.
  expect(changed({ riffBytes: 0xffff_ffff })).toEqual([4, 5, 6, 7]);
  expect(changed({ dataBytes: 0xffff_ffff })).toEqual([40, 41, 42, 43]);
  expect(changed({ format: 0x0101 })).toEqual([21]);
  expect(changed({ magic: 'RF64' })).toEqual([1, 2, 3]);
  // A rate of 0 also makes 0 bytes a second, as do frames of 0 bytes.
  expect(changed({ sampleRateHz: 0 })).toEqual([24, 25, 28, 29]);
  expect(changed({ blockAlignBytes: 0 })).toEqual([28, 29, 32]);
});

it('puts further chunks between the format and the data', () => {
  const junk = chunkOf('junk', Buffer.alloc(2), 9);
  expect(junk.toString('hex')).toBe('6a756e6b090000000000');
  const bytes = wavOf({ chunks: junk });
  expect([bytes.indexOf('fmt '), bytes.indexOf('junk'), bytes.indexOf('data')]).toEqual([12, 36, 46]);
});

it('writes AIFF for 8 kHz mono', () => {
  const bytes = aiffOf(Buffer.alloc(6, 1));
  // The chunks of AIFF 1.3: sizes big-endian, three frames of 16 bits, and 8000 as an 80-bit float (400b fa00…).
  expect(bytes.toString('hex', 0, 38)).toBe(
    '464f524d00000034' +
      '41494646' +
      '434f4d4d00000012' +
      '0001' +
      '00000003' +
      '0010' +
      '400bfa00000000000000',
  );
  expect(bytes.toString('hex', 38)).toBe(`53534e440000000e${'00'.repeat(8)}${'01'.repeat(6)}`);
});
