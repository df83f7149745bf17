import { expect, it } from 'vitest';
import { memorySource } from '../test/memory-source.ts';
import { openTta } from './tta.ts';

/** Of one channel with 16 bits. A packet has floor(256 / 245 × rate) samples. */
function header(sampleCount: number, sampleRateHz: number): Uint8Array {
  const bytes = Buffer.alloc(22);
  bytes.write('TTA1');
  bytes.writeUInt16LE(1, 4);
  bytes.writeUInt16LE(1, 6);
  bytes.writeUInt16LE(16, 8);
  bytes.writeUInt32LE(sampleRateHz, 10);
  bytes.writeUInt32LE(sampleCount, 14);
  return new Uint8Array(bytes);
}

it.each([
  ['that ends inside its header', header(8_000, 8_000).subarray(0, 21), 'ends inside its header'],
  [
    'that declares more than a million packets',
    header(8_000_001, 8),
    'declares more packets than there can be',
  ],
])('a TTA file %s is refused', async (_, bytes, sentence) => {
  await expect(openTta(memorySource(bytes))).rejects.toMatchObject({
    code: 'corrupt_audio',
    message: expect.stringContaining(sentence),
  });
});
