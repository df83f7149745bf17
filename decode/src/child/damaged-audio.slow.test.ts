/** Damaged and truncated files: what is lost is counted, and the rest keeps its position in time. */

import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBytes, fixtureBytes, STEREO_TONES, storedTone } from '../test/fixture-audio.ts';

function concatenate(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe('FLAC', () => {
  it('silence takes the place of a damaged packet, and the next one keeps its place', async () => {
    const bytes = fixtureBytes('flac16.flac');
    // Well inside the first packet of 4,096 samples.
    bytes[1500]! ^= 0x10;
    const { stream, samples } = await decodeBytes(bytes);
    const whole = storedTone(STEREO_TONES[0]!.hz, STEREO_TONES[0]!.level, 16000, 6400);
    expect(stream.health).toMatchObject({ damagedPackets: 1, decodedPackets: 1 });
    expect(samples[0]!.subarray(0, 4096).every((value) => value === 0)).toBe(true);
    expect(samples[0]!.subarray(4096)).toEqual(whole.subarray(4096));
  });

  it('a file cut in the middle of a packet is truncated', async () => {
    const { stream, samples } = await decodeBytes(fixtureBytes('flac16.flac').subarray(0, -500));
    expect(stream.health.truncated).toBe(true);
    expect(samples[0]).toHaveLength(4096);
  });
});

describe('E-AC-3', () => {
  it('one damaged packet of twelve is counted as one, although the codec gets the file as one chunk', async () => {
    const bytes = fixtureBytes('tone.eac3');
    // The first packet has 416 bytes, the others 418. The sixth gets a reduced sample rate of 24 kHz, which the codec refuses.
    const sixth = 416 + 4 * 418;
    expect([...bytes.subarray(sixth, sixth + 2)]).toEqual([0x0b, 0x77]);
    bytes[sixth + 4] = 0xc0;
    const { stream, samples } = await decodeBytes(bytes);
    expect(samples[0]).toHaveLength(11 * 1536);
    expect(stream.health).toMatchObject({ decodedPackets: 11, damagedPackets: 1 });
  });
});

describe('MP3', () => {
  it('decoding resumes after foreign bytes', async () => {
    const bytes = fixtureBytes('no-info.mp3');
    const torn = concatenate(bytes.subarray(0, 2000), new Uint8Array(700).fill(0x55), bytes.subarray(2000));
    const { stream, samples } = await decodeBytes(torn);
    // Silence takes the place of the one packet that is torn.
    expect(stream.health.damagedPackets).toBe(1);
    expect(samples[0]).toHaveLength(17 * 1152);
  });

  it('a file cut inside its last packet is truncated', async () => {
    const { stream } = await decodeBytes(fixtureBytes('no-info.mp3').subarray(0, -100));
    expect(stream.health.truncated).toBe(true);
  });

  describe('an info packet', () => {
    /** lame.mp3 with another count of packets in its info packet. */
    function withPacketCount(packetCount: number) {
      const bytes = Buffer.from(fixtureBytes('lame.mp3'));
      const infoAt = bytes.indexOf('Info', 0, 'latin1');
      bytes.writeUInt32BE(packetCount, infoAt + 8);
      // All four optional fields are there: counts of packets and bytes, a table of 100 bytes, and a quality.
      return { bytes, lameAt: infoAt + 8 + 4 + 4 + 100 + 4 };
    }

    it('that was never filled in declares no length', async () => {
      const { stream } = await decodeBytes(withPacketCount(0).bytes);
      expect(stream.declaredSamples).toBeNull();
    });

    it('with a delay that is longer than its one packet declares no samples, and not fewer', async () => {
      const { bytes, lameAt } = withPacketCount(1);
      // 12 bits each of delay and padding: 1,105 and 0. The decoder adds 529 samples to the delay.
      bytes.set([1105 >> 4, (1105 & 15) << 4, 0], lameAt + 21);
      const { stream } = await decodeBytes(bytes);
      expect(stream.declaredSamples).toBe(0);
    });
  });

  it('two joined files give all samples, although the first declares its own end', async () => {
    const bytes = fixtureBytes('lame.mp3');
    const { samples } = await decodeBytes(concatenate(bytes, bytes));
    // 17 packets, the info packet of the second file and 17 more, without the delay of the first.
    expect(samples[0]).toHaveLength(35 * 1152 - 1105);
  });

  it.each(['lame.mp3', 'no-info.mp3'])(
    'an ID3 tag behind %s is no damage, even if its picture looks like packets',
    async (name) => {
      const bytes = fixtureBytes(name);
      const picture = fixtureBytes('no-info.mp3');
      // 28 bits of length, seven to a byte.
      const tag = [
        0x49,
        0x44,
        0x33,
        4,
        0,
        0,
        0,
        ...[14, 7, 0].map((shift) => (picture.length >> shift) & 0x7f),
      ];
      const { stream, samples } = await decodeBytes(concatenate(bytes, Uint8Array.from(tag), picture));
      expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: false });
      expect(samples).toEqual((await decodeBytes(bytes)).samples);
    },
  );

  it('a change of the sample rate in the middle is refused', async () => {
    const other = fixtureBytes('no-info.mp3');
    // At 48 kHz a packet of 96 kbit/s has 288 bytes; its header is enough here.
    const packet = new Uint8Array(288);
    packet.set([0xff, 0xfb, 0x74, other[3]!]);
    const joined = concatenate(other, ...Array.from({ length: 8 }, () => packet));
    await expect(decodeBytes(joined)).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringContaining('44100 Hz to 48000 Hz'),
    });
  });
});

describe('MP4', () => {
  it.each([
    ['before its index', 'moov', 'has no index'],
    ['inside its index', 'stbl', 'ends inside its index'],
  ])('a file cut %s is refused as incomplete', async (_, box, sentence) => {
    const bytes = Buffer.from(fixtureBytes('aac-moov-last.m4a'));
    const cut = bytes.subarray(0, bytes.indexOf(box, 0, 'latin1') - 4);
    await expect(decodeBytes(new Uint8Array(cut))).rejects.toMatchObject({
      code: 'corrupt_audio',
      message: expect.stringMatching(new RegExp(`${sentence} .*incomplete`)),
    });
  });

  it('a fragment cut inside its index is left out, and the stream is truncated', async () => {
    const bytes = fixtureBytes('aac-fragmented.mp4');
    // Bytes 733 to 5,915 are its only fragment, index and packets; half of that index is appended.
    const cut = concatenate(bytes.subarray(0, 5_915), bytes.subarray(733, 863));
    const { stream, samples } = await decodeBytes(cut);
    expect(samples[0]).toHaveLength(18 * 1024);
    expect(stream.health.truncated).toBe(true);
  });

  it('a table of packets is read to the end of its box if it declares more', async () => {
    const bytes = fixtureBytes('alac.m4a');
    const at = bytes.findIndex((_, i) => String.fromCharCode(...bytes.subarray(i, i + 4)) === 'stsz');
    bytes.fill(0xff, at + 12, at + 16);
    const { stream, samples } = await decodeBytes(bytes);
    expect(samples[0]).toHaveLength(6400);
    expect(stream.health.damagedPackets).toBe(0);
  });
});

describe('the tables of an MP4', () => {
  /** aac-moov-last.m4a (0.4 s at 44.1 kHz) with one word changed, `offsetBytes` after the name of a box. */
  function withWord(box: string, offsetBytes: number, before: number, after: number): Uint8Array {
    const bytes = Buffer.from(fixtureBytes('aac-moov-last.m4a'));
    const at = bytes.indexOf(box, 0, 'latin1') + 4 + offsetBytes;
    expect(bytes.readUInt32BE(at)).toBe(before);
    bytes.writeUInt32BE(after, at);
    return new Uint8Array(bytes);
  }

  it.each([
    ['durations of packets', withWord('stts', 12, 1024, 1024 - 512)],
    ['time scale', withWord('mdhd', 12, 44_100, 44_100 + 65_536)],
  ])('that declare half of the song or less by damaged %s do not shorten it', async (_, bytes) => {
    const { samples } = await decodeBytes(bytes);
    expect(samples[0]!.length).toBeGreaterThanOrEqual(17_640);
  });

  it.each([
    ['durations', withWord('stts', 8, 18, 2), 17_640],
    ['sizes', withWord('stsz', 8, 19, 9), 8 * 1024],
  ])('that list fewer %s than packets are damaged', async (_, bytes, sampleCount) => {
    const { stream, samples } = await decodeBytes(bytes);
    expect(samples[0]).toHaveLength(sampleCount);
    expect(stream.health.damagedPackets).toBe(1);
  });
});

describe('CAF', () => {
  it('a negative number of valid samples is ignored', async () => {
    const bytes = Buffer.from(fixtureBytes('alac.caf'));
    // Behind the id and size of the packet table, and its number of packets.
    bytes.writeBigInt64BE(-5n, bytes.indexOf('pakt', 0, 'latin1') + 12 + 8);
    const { stream, samples } = await decodeBytes(new Uint8Array(bytes));
    expect(stream.declaredSamples).toBeNull();
    expect(samples[0]).toHaveLength(6400);
  });

  it('a number of valid samples that leaves out more than padding is ignored', async () => {
    const bytes = Buffer.from(fixtureBytes('alac.caf'));
    const dataAt = bytes.indexOf('data', 0, 'latin1');
    const tableAt = bytes.indexOf('pakt', 0, 'latin1');
    // The two packets three times.
    const packets = bytes.subarray(dataAt + 12 + 4, tableAt);
    const data = Buffer.concat([bytes.subarray(dataAt, dataAt + 12 + 4), packets, packets, packets]);
    data.writeBigInt64BE(BigInt(4 + 3 * packets.length), 4);
    const sizes = bytes.subarray(tableAt + 12 + 24);
    const table = Buffer.concat([bytes.subarray(tableAt, tableAt + 12 + 24), sizes, sizes, sizes]);
    table.writeBigInt64BE(BigInt(24 + 3 * sizes.length), 4);
    table.writeBigInt64BE(6n, 12);
    table.writeBigInt64BE(100n, 12 + 8);
    const { samples } = await decodeBytes(concatenate(bytes.subarray(0, dataAt), data, table));
    expect(samples[0]).toHaveLength(3 * 6400);
  });
});

describe('WavPack', () => {
  /** The one block of the fixture, without the tag behind it: 6,400 samples. */
  const block = fixtureBytes('wavpack.wv').subarray(0, 12_526);

  it('a block in the middle that declares too many bytes is damaged, and the file is not truncated', async () => {
    const bytes = concatenate(block, block, block);
    new DataView(bytes.buffer).setUint32(block.length + 4, bytes.length, true);
    const { stream, samples } = await decodeBytes(bytes);
    expect(samples[0]).toHaveLength(2 * 6400);
    expect(stream.health).toMatchObject({ decodedPackets: 2, damagedPackets: 1, truncated: false });
  });

  it('a file cut inside its last block is truncated', async () => {
    const { stream, samples } = await decodeBytes(concatenate(block, block.subarray(0, -1)));
    expect(samples[0]).toHaveLength(6400);
    expect(stream.health.truncated).toBe(true);
  });

  it('a file that declares more samples than its blocks have is truncated', async () => {
    const cut = block.slice();
    new DataView(cut.buffer).setUint32(12, 2 * 6400, true);
    const { stream, samples } = await decodeBytes(cut);
    expect(samples[0]).toHaveLength(6400);
    expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: true });
  });

  it.each([
    ['the end of the file', 0],
    ['a tag', 10],
  ])('a file cut inside a group of blocks, before %s, is truncated', async (_, tagBytes) => {
    const first = block.slice();
    // Flag 0x1000 marks the last block of a group.
    first[25]! &= ~0x10;
    const { stream, samples } = await decodeBytes(concatenate(block, first, new Uint8Array(tagBytes)));
    expect(samples[0]).toHaveLength(6400);
    expect(stream.health.truncated).toBe(true);
  });
});

describe('TTA', () => {
  /** The one packet of the fixture twice, at a sample rate of which a packet of 256/245 s holds its 6,400 samples. */
  function twoPackets(): Uint8Array {
    const fixture = Buffer.from(fixtureBytes('tta.tta'));
    const packet = fixture.subarray(30, 30 + fixture.readUInt32LE(22));
    const withChecksum = (bytes: Buffer) => {
      const checksum = Buffer.alloc(4);
      checksum.writeUInt32LE(crc32(bytes));
      return Buffer.concat([bytes, checksum]);
    };
    const header = fixture.subarray(0, 18);
    header.writeUInt32LE(6_125, 10);
    header.writeUInt32LE(2 * 6_400, 14);
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32LE(packet.length, 0);
    sizes.writeUInt32LE(packet.length, 4);
    return concatenate(withChecksum(header), withChecksum(sizes), packet, packet);
  }

  it.each([
    ['whole', 0, 2 * 6_400, false],
    ['cut inside its last packet', 1, 6_400, true],
  ])('a file that is %s', async (_, cutBytes, sampleCount, isTruncated) => {
    const bytes = twoPackets();
    const { stream, samples } = await decodeBytes(bytes.subarray(0, bytes.length - cutBytes));
    expect(samples[0]).toHaveLength(sampleCount);
    expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: isTruncated });
  });
});

describe('WMA', () => {
  it.each([
    ['whole', 0, false],
    ['cut inside its last packet', 1, true],
  ])('a file that is %s', async (_, cutBytes, isTruncated) => {
    const bytes = fixtureBytes('wma.wma');
    // The data object with its packets; an index may follow.
    const headerBytes = Buffer.from(bytes).readUInt32LE(16);
    const dataEnd = headerBytes + Buffer.from(bytes).readUInt32LE(headerBytes + 16);
    const { stream } = await decodeBytes(bytes.subarray(0, dataEnd - cutBytes));
    expect(stream.health.truncated).toBe(isTruncated);
  });

  /** Six times the two packets of wma.wma, of 3,200 bytes each behind a header of 494 and 50 bytes. */
  function longFile(): Uint8Array {
    const bytes = fixtureBytes('wma.wma');
    const packets = bytes.subarray(544);
    expect(packets).toHaveLength(2 * 3_200);
    const long = concatenate(bytes.subarray(0, 544), packets, packets, packets, packets, packets, packets);
    new DataView(long.buffer).setBigUint64(494 + 16, BigInt(long.length - 494), true);
    return long;
  }

  it('bytes that are missing in the middle cost their packet, and not all that follow', async () => {
    const bytes = longFile();
    const whole = await decodeBytes(bytes);
    const missing = concatenate(bytes.subarray(0, 8_000), bytes.subarray(8_500), new Uint8Array(500));
    const { stream, samples } = await decodeBytes(missing);
    // The torn packet, and the one whose beginning is read as its end.
    expect(stream.health.damagedPackets).toBe(2);
    // Of twelve packets the torn one is lost, and less than another where it overlaps with its neighbours.
    expect(samples[0]!.length).toBeGreaterThan((10 / 12) * whole.samples[0]!.length);
  });

  it.each([0, 0xff])('a packet with %i in the place of its middle is damaged', async (filler) => {
    const { stream } = await decodeBytes(longFile().fill(filler, 7_200, 9_200));
    expect(stream.health.damagedPackets).toBe(1);
  });

  it('a file without a declared length, as from a pipe, is read to its end', async () => {
    const bytes = fixtureBytes('wma.wma');
    const whole = await decodeBytes(bytes);
    new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(494 + 16, 50n, true);
    const { stream, samples } = await decodeBytes(bytes);
    expect(samples).toEqual(whole.samples);
    expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: false });
  });
});

describe('Matroska', () => {
  // One of the blocks begins at byte 2,256; its cluster ends at 5,119, and the index behind it at 5,141.
  it.each([
    ['between two blocks', 2_256],
    ['inside the header of a block', 2_257],
    ['inside a block', 2_300],
  ])('a file cut %s is truncated', async (_, byteSize) => {
    const { stream } = await decodeBytes(fixtureBytes('opus.webm').subarray(0, byteSize));
    expect(stream.health.truncated).toBe(true);
  });

  it('a file cut inside a block gives the same samples as one cut before it', async () => {
    const bytes = fixtureBytes('opus.webm');
    const { samples } = await decodeBytes(bytes.subarray(0, 2_300));
    expect(samples).toEqual((await decodeBytes(bytes.subarray(0, 2_256))).samples);
  });

  it('a damaged packet of Vorbis is left out and counted', async () => {
    const bytes = fixtureBytes('vorbis.webm');
    const whole = (await decodeBytes(bytes)).samples[0]!;
    // The tenth of its 19 packets. The first bit makes it a header.
    bytes[5_183]! |= 1;
    const { stream, samples } = await decodeBytes(bytes);
    expect(stream.health).toMatchObject({ decodedPackets: 17, damagedPackets: 1, truncated: false });
    // A long packet gives 1,024 samples; the second, after a short one, 576. The eleventh overlaps with the ninth instead of the tenth.
    expect(samples[0]).toHaveLength(whole.length - 1_024);
    const ninthEnd = 576 + 7 * 1_024;
    expect(samples[0]!.subarray(0, ninthEnd)).toEqual(whole.subarray(0, ninthEnd));
    expect(samples[0]!.subarray(ninthEnd + 1_024)).toEqual(whole.subarray(ninthEnd + 2 * 1_024));
  });

  it('a file cut inside its list of tracks is refused as incomplete', async () => {
    const bytes = Buffer.from(fixtureBytes('opus.webm'));
    // The id is also in the index at the start of the file.
    const tracksAt = bytes.lastIndexOf(Buffer.from([0x16, 0x54, 0xae, 0x6b]));
    await expect(decodeBytes(new Uint8Array(bytes.subarray(0, tracksAt + 20)))).rejects.toMatchObject({
      code: 'corrupt_audio',
      message: 'The Matroska file ends inside its header; the upload may be incomplete.',
    });
  });

  it('a file cut after its last block is not truncated', async () => {
    const { stream } = await decodeBytes(fixtureBytes('opus.webm').subarray(0, 5_119));
    expect(stream.health.truncated).toBe(false);
  });

  it.each([
    ['ones, which read as an element without an end', 0xff],
    ['zeros, which are not an element', 0x00],
  ])('a file with damage of %s that nothing follows but its index is not whole', async (_, filler) => {
    const bytes = fixtureBytes('opus.webm').fill(filler, 2_256, 5_119);
    const { stream, samples } = await decodeBytes(bytes);
    // The eight packets before the damage, without the 312 samples that Opus skips.
    expect(samples[0]).toHaveLength(8 * 960 - 312);
    expect(stream.health.damagedPackets).toBe(1);
  });

  it('a file with padding behind its end is whole', async () => {
    const { stream } = await decodeBytes(concatenate(fixtureBytes('opus.webm'), new Uint8Array(100)));
    expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: false });
  });

  it('a file cut in the middle gives the samples before the cut', async () => {
    const bytes = fixtureBytes('opus.webm');
    const { samples } = await decodeBytes(bytes.subarray(0, 3000));
    // Eleven packets, without the 312 samples that Opus skips.
    const sampleCount = 11 * 960 - 312;
    expect(samples[0]).toEqual((await decodeBytes(bytes)).samples[0]!.subarray(0, sampleCount));
  });
});
