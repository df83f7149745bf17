import { describe, expect, it } from 'vitest';
import { parseMpegHeader } from '../codecs/mpeg-header.ts';
import { newHealth } from '../stream/audio-stream.ts';
import { memorySource } from '../test/memory-source.ts';
import { findMpegPacket, hasFreeFormatPackets, WINDOW_BYTES, walkMpegPackets } from './mpeg-packets.ts';

/** MPEG-1 layer III, 128 kbit/s. 144 × 128,000 / 44,100 is 417 bytes, at 48 kHz 384 bytes. */
const packet = (header = [0xff, 0xfb, 0x90, 0x00], byteLength = 417) =>
  Buffer.concat([Buffer.from(header), Buffer.alloc(byteLength - 4)]);
const PACKET = packet();
const AT_48_KHZ = packet([0xff, 0xfb, 0x94, 0x00], 384);
const sourceOf = (...parts: Uint8Array[]) => memorySource(new Uint8Array(Buffer.concat(parts)));

describe('findMpegPacket', () => {
  const find = (...parts: Uint8Array[]) => {
    const source = sourceOf(...parts);
    return findMpegPacket(source, 0, source.byteSize)?.position ?? null;
  };

  it('finds the first of three packets in a row, behind other bytes', () => {
    expect(find(Buffer.alloc(1000), PACKET, PACKET, PACKET)).toBe(1000);
  });

  it('finds a packet that begins in one read window and ends in the next', () => {
    const leadBytes = WINDOW_BYTES - 2;
    expect(find(Buffer.alloc(leadBytes), PACKET, PACKET, PACKET)).toBe(leadBytes);
  });

  it('does not take a header for a packet that no other follows', () => {
    expect(find(PACKET.subarray(0, 100), PACKET, PACKET, PACKET)).toBe(100);
    expect(find(PACKET, Buffer.alloc(500))).toBeNull();
    expect(find(PACKET, AT_48_KHZ, AT_48_KHZ, AT_48_KHZ)).toBe(417);
  });

  it('finds one or two packets that end with the file, even if the second is cut off', () => {
    expect(find(PACKET)).toBe(0);
    expect(find(PACKET, PACKET)).toBe(0);
    expect(find(PACKET, PACKET.subarray(0, -1))).toBe(0);
    expect(find(PACKET.subarray(0, -1))).toBeNull();
  });
});

describe('walkMpegPackets', () => {
  const walk = (...parts: Uint8Array[]) => {
    const source = sourceOf(...parts);
    const first = { header: parseMpegHeader(PACKET, 0)!, position: 0 };
    const health = newHealth();
    const positions = [...walkMpegPackets(source, first, source.byteSize, health)].map(
      ({ position }) => position,
    );
    return { positions, damagedPackets: health.damagedPackets, truncated: health.truncated };
  };
  const whole = { damagedPackets: 0, truncated: false };

  it('gives packets back to back', () => {
    expect(walk(PACKET, PACKET, PACKET)).toEqual({ positions: [0, 417, 834], ...whole });
  });

  it('skips other bytes and counts them as one damaged packet', () => {
    expect(walk(PACKET, Buffer.alloc(50), PACKET, PACKET)).toEqual({
      positions: [0, 467, 884],
      damagedPackets: 1,
      truncated: false,
    });
  });

  it('jumps over tags, even if there are packets in them', () => {
    // The size of an ID3v2 tag has seven bits per byte: 6 × 128 + 66 is 834, two packets.
    const id3v2 = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\x06\x42', 'latin1'), PACKET, PACKET]);
    const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);
    expect(walk(PACKET, id3v2, PACKET, id3v1, PACKET)).toEqual({
      positions: [0, 417 + 844, 2 * 417 + 844 + 128],
      ...whole,
    });
  });

  it('is truncated by a last packet that is cut off, and not by other bytes at the end', () => {
    expect(walk(PACKET, PACKET.subarray(0, -1))).toEqual({
      positions: [0],
      damagedPackets: 0,
      truncated: true,
    });
    expect(walk(PACKET, Buffer.alloc(50))).toEqual({ positions: [0], ...whole });
  });

  it('refuses a change of the sample rate', () => {
    expect(() => walk(PACKET, AT_48_KHZ, AT_48_KHZ, AT_48_KHZ)).toThrow(
      'The file changes from 44100 Hz to 48000 Hz in the middle',
    );
  });
});

describe('hasFreeFormatPackets', () => {
  /** Bit rate index 0 is free format; bit 1 of the third byte is padding. */
  const free = (byteLength: number, padding = 0) => packet([0xff, 0xfb, padding << 1, 0x00], byteLength);

  it('finds three headers at one distance, but for a byte of padding', () => {
    expect(hasFreeFormatPackets(sourceOf(free(1045), free(1045), free(1045)))).toBe(true);
    expect(hasFreeFormatPackets(sourceOf(free(1045), free(1046, 1), free(1045)))).toBe(true);
  });

  it('finds none where the distances differ, or there are too few', () => {
    expect(hasFreeFormatPackets(sourceOf(free(1045), free(900), free(1045)))).toBe(false);
    expect(hasFreeFormatPackets(sourceOf(free(1045), free(1045)))).toBe(false);
    expect(hasFreeFormatPackets(sourceOf(PACKET, PACKET, PACKET))).toBe(false);
  });
});
