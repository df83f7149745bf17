import { describe, expect, it } from 'vitest';
import { OggPacketizer, type OggPage } from './ogg-pages.ts';

function page(sequence: number, segments: number[], fields: Partial<OggPage> = {}): OggPage {
  const length = segments.reduce((sum, segment) => sum + segment, 0);
  return {
    serial: 1,
    sequence,
    granule: null,
    isContinued: false,
    isFirstOfStream: false,
    isLastOfStream: false,
    segments: Uint8Array.from(segments),
    body: new Uint8Array(length).fill(sequence),
    ...fields,
  };
}

const lengths = (packets: Uint8Array[]) => packets.map((packet) => packet.length);

describe('OggPacketizer', () => {
  it('ends a packet at a segment shorter than 255 bytes', () => {
    expect(lengths(new OggPacketizer().packetsOf(page(0, [10, 255, 20, 0])))).toEqual([10, 275, 0]);
  });

  it('joins a packet that spans several pages', () => {
    const packetizer = new OggPacketizer();
    expect(packetizer.packetsOf(page(1, [255, 255]))).toEqual([]);
    expect(packetizer.packetsOf(page(2, [255], { isContinued: true }))).toEqual([]);
    const [packet] = packetizer.packetsOf(page(3, [5, 3], { isContinued: true }));
    expect(packet).toEqual(
      Uint8Array.from([...Array(510).fill(1), ...Array(255).fill(2), ...Array(5).fill(3)]),
    );
  });

  it('drops a packet when a page in its middle is missing, and counts the gap', () => {
    const packetizer = new OggPacketizer();
    packetizer.packetsOf(page(1, [255]));
    expect(lengths(packetizer.packetsOf(page(3, [5, 7], { isContinued: true })))).toEqual([7]);
    expect(packetizer.gapCount).toBe(1);
  });

  it('drops a packet that grows beyond the limit', () => {
    const packetizer = new OggPacketizer(1000);
    for (let i = 0; i < 10; i++) packetizer.packetsOf(page(i, [255], { isContinued: i > 0 }));
    expect(packetizer.packetsOf(page(10, [1], { isContinued: true }))).toEqual([]);
    expect(lengths(packetizer.packetsOf(page(11, [9])))).toEqual([9]);
  });
});
