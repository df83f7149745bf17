import { describe, expect, it } from 'vitest';
import { type Samples, sampleCountOf } from '../stream/audio-stream.ts';
import { fixtureBytes } from '../test/fixture-audio.ts';
import { memorySource } from '../test/memory-source.ts';
import { openAdts } from './adts.ts';

const AAC = Buffer.from(fixtureBytes('adts.aac'));
/** The length of the packet at `at`: 13 bits from bit 30 of its header (ISO/IEC 14496-3, 1.A.2). */
const packetBytesAt = (at: number) => ((AAC[at + 3]! & 3) << 11) | (AAC[at + 4]! << 3) | (AAC[at + 5]! >> 5);
const starts: number[] = [];
for (let at = 0; at < AAC.length; at += packetBytesAt(at)) starts.push(at);

const healthOf = async (...parts: Uint8Array[]) => {
  const { blocks, health } = await openAdts(memorySource(new Uint8Array(Buffer.concat(parts))));
  let sampleCount = 0;
  for (const block of blocks as Iterable<Samples>) sampleCount += sampleCountOf(block);
  const { damagedPackets, truncated } = health;
  return { damagedPackets, truncated, sampleCount };
};
/** FAAD2 gives no samples for the first packet it gets. */
const WHOLE = { damagedPackets: 0, truncated: false, sampleCount: 1024 * (starts.length - 1) };

describe('AAC in ADTS', () => {
  it('is the whole of the fixture, packet by packet', async () => {
    expect(await healthOf(AAC)).toEqual(WHOLE);
  });

  it('may have checksums, which are two bytes between header and packet', async () => {
    const parts = starts.map((start) => {
      const packet = Buffer.from(AAC.subarray(start, start + packetBytesAt(start)));
      const byteLength = packet.length + 2;
      packet[1]! &= 0xfe;
      packet[3] = (packet[3]! & 0xfc) | (byteLength >> 11);
      packet[4] = (byteLength >> 3) & 255;
      packet[5] = ((byteLength & 7) << 5) | (packet[5]! & 31);
      return Buffer.concat([packet.subarray(0, 7), Buffer.of(0x12, 0x34), packet.subarray(7)]);
    });
    expect(await healthOf(...parts)).toEqual(WHOLE);
  });

  it('is found behind other bytes, and behind a header that no other follows', async () => {
    expect(await healthOf(AAC.subarray(0, 9), AAC)).toEqual(WHOLE);
  });

  // The search reads windows of 64 KiB, which begin behind the first of the other bytes: here the first ends inside the next header.
  it.each([100, 64 * 1024 - 2])(
    'goes on after %i other bytes, which count as one damaged packet',
    async (byteCount) => {
      const middle = starts[5]!;
      expect(await healthOf(AAC.subarray(0, middle), Buffer.alloc(byteCount), AAC.subarray(middle))).toEqual({
        ...WHOLE,
        damagedPackets: 1,
      });
    },
  );

  it('leaves out a packet whose header declares another sample rate', async () => {
    const bytes = Buffer.from(AAC);
    // 48 kHz instead of 44.1: bits 2 to 5 hold the index of the rate.
    expect((bytes[starts[5]! + 2]! >> 2) & 15).toBe(4);
    bytes[starts[5]! + 2]! ^= (4 ^ 3) << 2;
    expect(await healthOf(bytes)).toEqual({
      ...WHOLE,
      damagedPackets: 1,
      sampleCount: WHOLE.sampleCount - 1024,
    });
  });

  it('is found if it begins in the first 64 KiB, and refused if it begins later', async () => {
    // The header of seven bytes must lie within.
    expect(await healthOf(Buffer.alloc(64 * 1024 - 7), AAC)).toEqual(WHOLE);
    await expect(healthOf(Buffer.alloc(64 * 1024 - 6), AAC.subarray(0, starts[2]))).rejects.toMatchObject({
      code: 'corrupt_audio',
    });
  });

  it('is truncated by a last packet that is cut off, and not by other bytes at the end', async () => {
    expect(await healthOf(AAC.subarray(0, -1))).toEqual({
      ...WHOLE,
      truncated: true,
      sampleCount: WHOLE.sampleCount - 1024,
    });
    expect(await healthOf(AAC, Buffer.alloc(100))).toEqual(WHOLE);
  });
});
