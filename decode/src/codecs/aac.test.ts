import { expect, it } from 'vitest';
import { packBits } from '../test/pack-bits.ts';
import { createAacDecoder } from './aac.ts';

/** Five bits of object type, four with the index of 44.1 kHz, and four for one channel. */
const monoConfig = (objectType: number) =>
  Uint8Array.of((objectType << 3) | (4 >> 1), ((4 & 1) << 7) | (1 << 3), 0);

it.each([
  ['low complexity', 2, 1024],
  ['low delay', 23, 0],
])('the output of %s begins where FAAD2 begins it', async (_, objectType, offsetSamples) => {
  const decoder = await createAacDecoder(monoConfig(objectType));
  expect(decoder.outputOffsetSamples()).toBe(offsetSamples);
});

it.each([
  ['is empty', new Uint8Array(0)],
  ['is cut', monoConfig(2).subarray(0, 1)],
  ['has a reserved sample rate', Uint8Array.of((2 << 3) | (13 >> 1), ((13 & 1) << 7) | (1 << 3), 0)],
  [
    'declares its sample rate without an index',
    packBits([
      [2, 5],
      [15, 4],
      [44_100, 24],
      [1, 4],
      [0, 3],
    ]),
  ],
  [
    'is of extended high efficiency',
    packBits([
      [31, 5],
      [42 - 32, 6],
      [4, 4],
      [1, 4],
      [0, 5],
    ]),
  ],
])('a configuration that %s is refused', async (_, config) => {
  await expect(createAacDecoder(config)).rejects.toMatchObject({ code: 'corrupt_audio' });
});
