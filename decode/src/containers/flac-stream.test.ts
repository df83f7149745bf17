import { describe, expect, it } from 'vitest';
import { FLAC_PACKET_SAMPLES, flacHeader, flacPacket } from '../test/flac-bytes.ts';
import { memorySource } from '../test/memory-source.ts';
import { openFlacStream } from './flac-stream.ts';

/** Decodes the stream and gives the first sample of every 4,096, which is the number of its packet, or 0 for silence. */
function play(...parts: Uint8Array[]) {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  const { blocks, health } = openFlacStream(memorySource(bytes), 0);
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
});
