import { describe, expect, it } from 'vitest';
import { newHealth } from '../stream/audio-stream.ts';
import { memorySource } from '../test/memory-source.ts';
import { oggPage } from '../test/ogg-bytes.ts';
import { findLastGranule, OggPacketizer, type OggPage, readOggPages } from './ogg-pages.ts';

function page(sequence: number, segments: number[], fields: Partial<OggPage> = {}): OggPage {
  const length = segments.reduce((sum, segment) => sum + segment, 0);
  return {
    position: 0,
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

  it('counts no gap where the page numbers begin again after 32 bits', () => {
    const packetizer = new OggPacketizer();
    packetizer.packetsOf(page(2 ** 32 - 1, [5]));
    packetizer.packetsOf(page(0, [5]));
    expect(packetizer.gapCount).toBe(0);
  });

  it('drops a packet that the next page does not continue', () => {
    const packetizer = new OggPacketizer();
    packetizer.packetsOf(page(1, [255]));
    expect(lengths(packetizer.packetsOf(page(2, [5, 7])))).toEqual([5, 7]);
    expect(packetizer.gapCount).toBe(0);
  });

  // 258 pages of 255 segments of 255 bytes are 766 bytes less than 16 MiB.
  it.each([
    ['before its last page', 259, [1]],
    ['with its last page', 258, [255, 255, 255, 2]],
  ])('drops a packet that grows beyond the limit %s', (_, pageCount, lastSegments) => {
    const packetizer = new OggPacketizer();
    const fullPage = new Array(255).fill(255);
    for (let i = 0; i < pageCount; i++) packetizer.packetsOf(page(i, fullPage, { isContinued: i > 0 }));
    expect(packetizer.packetsOf(page(pageCount, lastSegments, { isContinued: true }))).toEqual([]);
    expect(lengths(packetizer.packetsOf(page(pageCount + 1, [9])))).toEqual([9]);
  });
});

const PACKET = Uint8Array.of(1, 2, 3);
const pages = [0, 1, 2].map((sequence) => oggPage([PACKET], { sequence, granule: 100 * sequence }));
const fileOf = (...parts: Uint8Array[]) => memorySource(new Uint8Array(Buffer.concat(parts)));

describe('readOggPages', () => {
  const read = (...parts: Uint8Array[]) => {
    const health = newHealth();
    const sequences = [...readOggPages(fileOf(...parts), health)].map(({ sequence }) => sequence);
    return { sequences, damagedPackets: health.damagedPackets, truncated: health.truncated };
  };

  it('gives the fields of a page', () => {
    const granule = 2 ** 40;
    const bytes = oggPage([PACKET], { serial: 7, sequence: 5, granule, isContinued: true, isLast: true });
    expect([...readOggPages(fileOf(bytes), newHealth())]).toEqual([
      {
        position: 0,
        serial: 7,
        sequence: 5,
        granule,
        isContinued: true,
        isFirstOfStream: false,
        isLastOfStream: true,
        segments: Uint8Array.of(3),
        body: PACKET,
      },
    ]);
  });

  it('gives null as the granule position of a page on which no packet ends', () => {
    const [page] = readOggPages(fileOf(oggPage([PACKET], { sequence: 0, granule: null })), newHealth());
    expect(page!.granule).toBeNull();
  });

  it('skips bytes between pages and counts them as damage', () => {
    expect(read(pages[0]!, Uint8Array.of(9, 9), pages[1]!)).toEqual({
      sequences: [0, 1],
      damagedPackets: 1,
      truncated: false,
    });
  });

  it('skips a page with a wrong checksum and counts it as damage', () => {
    const damaged = pages[1]!.with(-1, 0xff);
    expect(read(pages[0]!, damaged, pages[2]!)).toEqual({
      sequences: [0, 2],
      damagedPackets: 1,
      truncated: false,
    });
  });

  it('is truncated by a page that is cut off, and not by other bytes at the end', () => {
    expect(read(pages[0]!, pages[1]!.subarray(0, -1))).toMatchObject({ sequences: [0], truncated: true });
    expect(read(pages[0]!, new Uint8Array(40))).toEqual({
      sequences: [0],
      damagedPackets: 0,
      truncated: false,
    });
  });
});

describe('findLastGranule', () => {
  it('is the granule position of the last page on which a packet ends', () => {
    const open = oggPage([PACKET], { sequence: 3, granule: null });
    expect(findLastGranule(fileOf(...pages, open), 1)).toBe(200);
  });

  it('ignores a last page with a wrong checksum', () => {
    expect(findLastGranule(fileOf(pages[0]!, pages[1]!, pages[2]!.with(-1, 0xff)), 1)).toBe(100);
  });

  it('is null if the file ends with another stream, or without a page', () => {
    expect(findLastGranule(fileOf(...pages), 2)).toBeNull();
    expect(findLastGranule(fileOf(PACKET), 1)).toBeNull();
  });
});
