import { expect, it } from 'vitest';
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
