/** The oracle is mpg123, which shares no code with dr_mp3. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMpegInfoTag } from '../containers/mpeg-gapless.ts';
import { findMpegPacket, type MpegPacket, walkMpegPackets } from '../containers/mpeg-packets.ts';
import { newHealth, type Samples } from '../stream/audio-stream.ts';
import { fixtureBytes } from '../test/fixture-audio.ts';
import { memorySource } from '../test/memory-source.ts';
import { MP3_SOURCE_SHA256 } from './mp3.generated.ts';
import { createMp3Decoder } from './mp3.ts';
import { createMpegRunDecoder, type MpegRunDecoder } from './mpeg.ts';
import { joinSamples } from './packet-decoder.ts';

/** Both compute in 32-bit floats, with some hundred operations per sample that each round by at most 6e-8 of full scale. */
const ROUNDING_MAX = 1e-5;

/** Of MPEG-1 layer III. */
const PACKET_SAMPLES = 1_152;
/** The decoder's limit (decode/wasm/mp3.c). */
const PLAUSIBLE_MAX = 8;

type Mp3 = { bytes: Uint8Array; packets: MpegPacket[] };

function mp3Of(bytes: Uint8Array): Mp3 {
  const source = memorySource(bytes);
  const first = findMpegPacket(source, 0, bytes.length)!;
  const packets = [...walkMpegPackets(source, first, bytes.length, newHealth())];
  const isInfo = parseMpegInfoTag(bytes.subarray(first.position), first.header) !== null;
  return { bytes, packets: isInfo ? packets.slice(1) : packets };
}

function bytesOf({ bytes, packets }: Mp3, from: number, to: number): Uint8Array {
  const last = packets[to - 1]!;
  return bytes.slice(packets[from]!.position, last.position + last.header.byteLength);
}

/** All packets, one at a time or as many as the decoder takes. */
function decodeAll(decoder: MpegRunDecoder, mp3: Mp3, runPackets = decoder.runPacketsMax) {
  const pieces: Samples[] = [];
  let damagedPackets = 0;
  let silencedSamples: number | null = null;
  for (let from = 0; from < mp3.packets.length; from += runPackets) {
    const to = Math.min(from + runPackets, mp3.packets.length);
    const run = decoder.decode(bytesOf(mp3, from, to), to - from);
    pieces.push(run.samples);
    damagedPackets += run.damagedPackets;
    silencedSamples = run.silencedSamples;
  }
  return { samples: joinSamples(pieces, pieces[0]!.length), damagedPackets, silencedSamples };
}

async function decodeWithBoth(mp3: Mp3) {
  const { header } = mp3.packets[0]!;
  return {
    ours: decodeAll(createMp3Decoder(header), mp3),
    oracle: decodeAll(await createMpegRunDecoder(header), mp3),
  };
}

function largestDifference(a: Samples, b: Samples, from = 0, to = a[0]!.length): number {
  expect(a.map((channel) => channel.length)).toEqual(b.map((channel) => channel.length));
  let largest = 0;
  for (const [index, channel] of a.entries()) {
    const other = b[index]!;
    for (let i = from; i < to; i++) largest = Math.max(largest, Math.abs(channel[i]! - other[i]!));
  }
  return largest;
}

/** Sets the gain of all four granules of an MPEG-1 stereo packet, whose side information begins at byte `at` (ISO/IEC 11172-3, 2.4.1.7). */
function setGlobalGain(bytes: Uint8Array, at: number, gain: number): void {
  for (let granule = 0; granule < 4; granule++) {
    const firstBit = at * 8 + 20 + granule * 59 + 21;
    for (let bit = 0; bit < 8; bit++) {
      const mask = 0x80 >> ((firstBit + bit) & 7);
      const index = (firstBit + bit) >> 3;
      bytes[index] = gain & (0x80 >> bit) ? bytes[index]! | mask : bytes[index]! & ~mask;
    }
  }
}

const isSilent = (samples: Samples, from: number, to: number) =>
  samples.every((channel) => channel.subarray(from, to).every((value) => value === 0));

const song = new Uint8Array(
  readFileSync(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url)),
);
const FIXTURES = ['lame.mp3', 'no-info.mp3', 'bursts-vbr.mp3', 'bursts-mpeg2-mono.mp3', 'bursts-mpeg25.mp3'];

const STREAMS: [string, Uint8Array][] = [
  ['a song of a minute', song],
  ...FIXTURES.map((name): [string, Uint8Array] => [name, fixtureBytes(name)]),
];

describe('the module', () => {
  it('was built from the sources in decode/wasm', () => {
    const hash = createHash('sha256');
    for (const name of ['dr_mp3.h', 'mp3.c'])
      hash.update(readFileSync(new URL(`../../wasm/${name}`, import.meta.url)));
    expect(MP3_SOURCE_SHA256, 'npm run wasm:mp3').toBe(hash.digest('hex'));
  });
});

describe('a whole stream', () => {
  it.each(STREAMS)('%s decodes to the samples of mpg123', async (_, bytes) => {
    const { ours, oracle } = await decodeWithBoth(mp3Of(bytes));
    expect(ours.damagedPackets).toBe(0);
    expect(largestDifference(ours.samples, oracle.samples)).toBeLessThan(ROUNDING_MAX);
    expect(isSilent(ours.samples, 0, ours.samples[0]!.length)).toBe(false);
  });

  it('decodes to the same samples one packet at a time and in long runs', () => {
    const mp3 = mp3Of(fixtureBytes('bursts-vbr.mp3'));
    const { header } = mp3.packets[0]!;
    expect(decodeAll(createMp3Decoder(header), mp3, 1)).toEqual(decodeAll(createMp3Decoder(header), mp3));
  });

  it('keeps the number of its channels when packets change between mono and stereo', async () => {
    const mp3 = mp3Of(fixtureBytes('no-info.mp3'));
    // A stereo packet that claims to be mono is damaged or becomes noise, but keeps its length.
    for (const { position } of mp3.packets.slice(8, 12)) mp3.bytes[position + 3]! |= 0xc0;
    const stereo = await decodeWithBoth(mp3);
    expect(stereo.ours.samples.map((channel) => channel.length)).toEqual([
      17 * PACKET_SAMPLES,
      17 * PACKET_SAMPLES,
    ]);
    expect(largestDifference(stereo.ours.samples, stereo.oracle.samples, 0, 8 * PACKET_SAMPLES)).toBeLessThan(
      ROUNDING_MAX,
    );
    expect(stereo.ours.samples[0]!.subarray(9 * PACKET_SAMPLES, 12 * PACKET_SAMPLES)).toEqual(
      stereo.ours.samples[1]!.subarray(9 * PACKET_SAMPLES, 12 * PACKET_SAMPLES),
    );
    const [left, right] = stereo.ours.samples;
    const mono = decodeAll(createMp3Decoder({ ...mp3.packets[0]!.header, channelCount: 1 }), mp3);
    const middle = left!.map((value, i) => (value + right![i]!) / 2);
    expect(largestDifference(mono.samples, [middle], 0, 8 * PACKET_SAMPLES)).toBeLessThan(ROUNDING_MAX);
    expect(isSilent(mono.samples, 0, 8 * PACKET_SAMPLES)).toBe(false);
  });
});

describe('a cut or damaged stream', () => {
  const whole = mp3Of(fixtureBytes('bursts-vbr.mp3'));
  const { header } = whole.packets[0]!;
  const plain = decodeAll(createMp3Decoder(header), whole);

  it('that was cut from a longer one begins with silence, which is not damage', async () => {
    const cut = mp3Of(bytesOf(whole, 10, whole.packets.length));
    const { ours, oracle } = await decodeWithBoth(cut);
    expect(ours.damagedPackets).toBe(0);
    expect(isSilent(ours.samples, 0, PACKET_SAMPLES)).toBe(true);
    expect(largestDifference(ours.samples, oracle.samples)).toBeLessThan(ROUNDING_MAX);
  });

  it('has silence in place of a packet with invalid side information', () => {
    const broken = { ...whole, bytes: whole.bytes.slice() };
    const { position } = whole.packets[20]!;
    broken.bytes.fill(0xff, position + 4, position + 4 + header.sideInfoBytes);
    const { samples, damagedPackets } = decodeAll(createMp3Decoder(header), broken);
    // The packets after it begin inside it, but are not damaged.
    expect(damagedPackets).toBe(1);
    expect(isSilent(samples, 20 * PACKET_SAMPLES, 21 * PACKET_SAMPLES)).toBe(true);
    expect(largestDifference(samples, plain.samples, 0, 20 * PACKET_SAMPLES)).toBe(0);
    // A packet overlaps with the next one, and the filter bank reaches a little further.
    expect(largestDifference(samples, plain.samples, 23 * PACKET_SAMPLES)).toBeLessThan(ROUNDING_MAX);
  });

  it('has silence in place of samples far beyond full scale, and counts them, in stereo and in mono', async () => {
    // The largest gain, in every packet: a factor of at least 2^((255 - 210) / 4).
    const loud = { ...whole, bytes: whole.bytes.slice() };
    for (const { position } of loud.packets) setGlobalGain(loud.bytes, position + 4, 255);
    const oracle = decodeAll(await createMpegRunDecoder(header), loud);
    const implausible = oracle.samples.map(
      (channel) => channel.filter((value) => !(Math.abs(value) <= PLAUSIBLE_MAX)).length,
    );
    expect(Math.min(...implausible)).toBeGreaterThan(10_000);
    const stereo = decodeAll(createMp3Decoder(header), loud);
    // Rounding may put a sample on either side of the limit.
    expect(stereo.silencedSamples! / (implausible[0]! + implausible[1]!)).toBeCloseTo(1, 4);
    expect(
      stereo.samples.every((channel) => channel.every((value) => Math.abs(value) <= PLAUSIBLE_MAX)),
    ).toBe(true);
    const mono = decodeAll(createMp3Decoder({ ...header, channelCount: 1 }), loud);
    expect(mono.silencedSamples).toBeGreaterThan(10_000);
    expect(mono.silencedSamples).toBeLessThan(mono.samples[0]!.length);
    expect(plain.silencedSamples).toBe(0);
  });

  it('of noise behind valid headers keeps its length and its limit', () => {
    let state = 1;
    const nextByte = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 24;
    };
    for (const name of FIXTURES) {
      const noise = mp3Of(fixtureBytes(name));
      for (const { position, header } of noise.packets) {
        // Half of the packets keep the first eight bytes after their header, so that some of them pass the checks of side information.
        const from = position + (nextByte() & 1 ? 4 : 12);
        for (let at = from; at < position + header.byteLength; at++) noise.bytes[at] = nextByte();
      }
      const first = noise.packets[0]!.header;
      const { samples, damagedPackets } = decodeAll(createMp3Decoder(first), noise);
      expect(samples.map((channel) => channel.length)).toEqual(
        Array.from({ length: first.channelCount }, () => noise.packets.length * first.sampleCount),
      );
      expect(damagedPackets).toBeGreaterThan(0);
      expect(damagedPackets).toBeLessThanOrEqual(noise.packets.length);
      for (const channel of samples)
        expect(channel.every((value) => Math.abs(value) <= PLAUSIBLE_MAX)).toBe(true);
    }
  });
});
