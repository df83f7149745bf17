import { describe, expect, it } from 'vitest';
import { OggPacketizer, type OggPage } from './ogg-pages.ts';

function page(sequence: number, segments: number[], fields: Partial<OggPage> = {}): OggPage {
  const length = segments.reduce((sum, segment) => sum + segment, 0);
  return {
    serial: 1,
    sequence,
    granule: null,
    continued: false,
    firstOfStream: false,
    lastOfStream: false,
    segments: Uint8Array.from(segments),
    body: new Uint8Array(length).fill(sequence),
    ...fields,
  };
}

const lengths = (packets: Uint8Array[]) => packets.map((packet) => packet.length);

describe('OggPacketizer', () => {
  it('cuts a page where a segment is shorter than 255', () => {
    expect(lengths(new OggPacketizer().packetsOf(page(0, [10, 255, 20, 0])))).toEqual([10, 275, 0]);
  });

  it('joins a packet over pages, in order', () => {
    const packetizer = new OggPacketizer();
    expect(packetizer.packetsOf(page(1, [255, 255]))).toEqual([]);
    expect(packetizer.packetsOf(page(2, [255], { continued: true }))).toEqual([]);
    const [packet] = packetizer.packetsOf(page(3, [5, 3], { continued: true }));
    expect(packet).toEqual(
      Uint8Array.from([...Array(510).fill(1), ...Array(255).fill(2), ...Array(5).fill(3)]),
    );
  });

  it('drops a packet whose middle is missing, and counts the gap', () => {
    const packetizer = new OggPacketizer();
    packetizer.packetsOf(page(1, [255]));
    expect(lengths(packetizer.packetsOf(page(3, [5, 7], { continued: true })))).toEqual([7]);
    expect(packetizer.gapCount).toBe(1);
  });

  it('does not collect a packet without end', () => {
    const packetizer = new OggPacketizer(1000);
    for (let i = 0; i < 10; i++) packetizer.packetsOf(page(i, [255], { continued: i > 0 }));
    expect(packetizer.packetsOf(page(10, [1], { continued: true }))).toEqual([]);
    expect(lengths(packetizer.packetsOf(page(11, [9])))).toEqual([9]);
  });
});
