import { describe, expect, it } from 'vitest';
import { FLAC_PACKET_SAMPLES, flacHeader, flacPacket, flacVerbatimPacket } from '../test/flac-bytes.ts';
import { memorySource } from '../test/memory-source.ts';
import { openFlacStream } from './flac-stream.ts';

/** Decodes the stream and gives the first sample of every 4,096, which is the number of its packet, or 0 for silence. */
function play(...parts: Uint8Array[]) {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  const { blocks, health } = openFlacStream(memorySource(bytes));
  const heard: number[] = [];
  for (const block of blocks as Iterable<Float32Array[]>) {
    for (let i = 0; i < block[0]!.length; i += FLAC_PACKET_SAMPLES) heard.push(block[0]![i]! * 32768);
  }
  return { heard, health };
}

const packet = (number: number) => flacPacket(number, number);

function brokenPacket(number: number): Uint8Array {
  const bytes = packet(number);
  bytes[7]! ^= 0x10;
  return bytes;
}

describe('a cut FLAC stream', () => {
  it('is not truncated if it has all packets', () => {
    const { health } = play(flacHeader(2 * FLAC_PACKET_SAMPLES), packet(0), packet(1));
    expect(health).toMatchObject({ decodedPackets: 2, damagedPackets: 0, truncated: false });
  });

  it('is truncated if it is cut between packets', () => {
    expect(play(flacHeader(2 * FLAC_PACKET_SAMPLES), packet(0)).health.truncated).toBe(true);
    expect(play(flacHeader(2 * FLAC_PACKET_SAMPLES)).health.truncated).toBe(true);
  });

  it('of unknown length is truncated if it is cut inside a packet, and not by a tag', () => {
    const UNKNOWN = 0;
    const tag = new TextEncoder().encode('TAG and the rest of an ID3v1 tag');
    expect(play(flacHeader(UNKNOWN), packet(0), packet(1).subarray(0, -1)).health).toMatchObject({
      decodedPackets: 1,
      truncated: true,
    });
    expect(play(flacHeader(UNKNOWN), packet(0), tag).health.truncated).toBe(false);
  });

  it.each([
    ['inside the picture, the last block', flacHeader(FLAC_PACKET_SAMPLES, 500).subarray(0, -100)],
    ['after STREAMINFO, with a picture announced', flacHeader(FLAC_PACKET_SAMPLES, 500).subarray(0, 42)],
    ['inside STREAMINFO', flacHeader(FLAC_PACKET_SAMPLES).subarray(0, 30)],
  ])('is refused if it is cut %s', (_, bytes) => {
    expect(() => play(bytes)).toThrow(
      expect.objectContaining({
        code: 'corrupt_audio',
        message: expect.stringContaining('ends inside its header'),
      }),
    );
  });
});

describe('the header of a FLAC stream', () => {
  const [INFO_BYTES, PADDING, LAST] = [42, 1, 0x80];
  const DAMAGED = 'does not describe its own stream';
  const info = flacHeader(FLAC_PACKET_SAMPLES, 0).subarray(0, INFO_BYTES);
  /** So many blocks of no bytes, of which the last one is marked as such. */
  const padding = (count: number) =>
    Uint8Array.from({ length: 4 * count }, (_, at) =>
      at % 4 > 0 ? 0 : PADDING | (at === 4 * (count - 1) ? LAST : 0),
    );
  const refusal = { code: 'corrupt_audio', message: expect.stringContaining(DAMAGED) };

  it('is refused without STREAMINFO', () => {
    const signature = info.subarray(0, 4);
    expect(() => play(signature, padding(2), packet(1))).toThrow(expect.objectContaining(refusal));
  });

  it('may have 10,000 blocks, and is refused with more', () => {
    expect(play(info, padding(9_999), packet(1)).heard).toEqual([1]);
    expect(() => play(info, padding(10_000), packet(1))).toThrow(expect.objectContaining(refusal));
  });
});

describe('a FLAC stream with gaps', () => {
  it('has silence for a damaged packet, and none for the packets before its first one', () => {
    const header = flacHeader(5 * FLAC_PACKET_SAMPLES);
    const { heard, health } = play(header, packet(54), packet(55), brokenPacket(56), packet(57), packet(58));
    expect(heard).toEqual([54, 55, 0, 57, 58]);
    expect(health).toMatchObject({ decodedPackets: 4, damagedPackets: 1, truncated: false });
  });

  it('has no silence for a gap of 15 s, and silence for a short gap after it', () => {
    const header = flacHeader(34 * FLAC_PACKET_SAMPLES);
    // Packets 2 to 30 take 15 s.
    const { heard, health } = play(
      header,
      packet(1),
      brokenPacket(2),
      packet(31),
      brokenPacket(32),
      packet(33),
    );
    expect(heard).toEqual([1, 31, 0, 33]);
    expect(health).toMatchObject({ decodedPackets: 3, damagedPackets: 2 });
  });

  // Bytes are read in windows of 64 KiB, which the search for a packet begins behind the first byte of the junk.
  it.each([65_535, 65_536, 65_537, 200_000])('resumes after %d bytes of junk', (junkBytes) => {
    const header = flacHeader(3 * FLAC_PACKET_SAMPLES);
    const { heard, health } = play(header, packet(1), new Uint8Array(junkBytes), packet(3));
    expect(heard).toEqual([1, 0, 3]);
    expect(health).toMatchObject({ decodedPackets: 2, damagedPackets: 1, truncated: false });
  });
});

it('a FLAC stream may have packets of more than 64 KiB', () => {
  // Of two bytes each.
  const SAMPLES = 65_535;
  const packets = [1, 2].map((value, number) => flacVerbatimPacket(number, value, SAMPLES));
  const { heard, health } = play(flacHeader(2 * SAMPLES, null, SAMPLES), ...packets);
  expect(heard).toEqual([...Array(16).fill(1), ...Array(16).fill(2)]);
  expect(health).toMatchObject({ decodedPackets: 2, damagedPackets: 0, truncated: false });
});
