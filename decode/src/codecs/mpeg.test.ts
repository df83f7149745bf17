import { expect, it } from 'vitest';
import { fixtureBytes } from '../test/fixture-audio.ts';
import { createMpegRunDecoder } from './mpeg.ts';
import { parseMpegHeader } from './mpeg-header.ts';

/** The sixteen packets of the fixture, which has nothing else in it. */
const bytes = fixtureBytes('tone.mp2');
const header = parseMpegHeader(bytes, 0)!;
const packetCount = 16;
const wholeSamples = packetCount * 1_152;

it('packets that mpg123 leaves out are counted as damaged, and silence keeps the length', async () => {
  const decoder = await createMpegRunDecoder(header);
  const printError = console.error;
  const whole = decoder.decode(bytes, packetCount);
  expect(console.error).toBe(printError);
  expect(whole).toMatchObject({ damagedPackets: 0, silencedSamples: null });
  expect(whole.samples.map(({ length }) => length)).toEqual([wholeSamples, wholeSamples]);
  // The caller announces two packets more than it gives.
  const short = (await createMpegRunDecoder(header)).decode(bytes, packetCount + 2);
  expect(short.damagedPackets).toBe(2);
  expect(short.samples[0]!.subarray(0, wholeSamples)).toEqual(whole.samples[0]);
  expect(short.samples[0]!.subarray(wholeSamples)).toEqual(new Float32Array(2 * 1_152));
});

it('two channels in a mono stream become their mean', async () => {
  const { samples } = (await createMpegRunDecoder(header)).decode(bytes, packetCount);
  const mono = (await createMpegRunDecoder({ ...header, channelCount: 1 })).decode(bytes, packetCount);
  const [left, right] = samples;
  expect(mono.samples).toEqual([left!.map((value, i) => (value + right![i]!) / 2)]);
});
