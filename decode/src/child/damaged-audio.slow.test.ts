/** Files that were whole once: what is lost is counted, what is left keeps its place in time. */

import { describe, expect, it } from 'vitest';
import { decodeBytes, fixtureBytes, STEREO_TONES, storedTone } from '../test/fixture-audio.ts';

function concatenate(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Start of every Ogg page. */
function oggPages(bytes: Uint8Array): number[] {
  const starts: number[] = [];
  for (let i = 0; i + 4 <= bytes.length; i++) {
    if (String.fromCharCode(...bytes.subarray(i, i + 4)) === 'OggS') starts.push(i);
  }
  return starts;
}

describe('FLAC', () => {
  it('a broken packet becomes silence, and what follows it is untouched', async () => {
    const bytes = fixtureBytes('flac16.flac');
    // Well inside the first packet of 4,096 samples.
    bytes[1500]! ^= 0x10;
    const { stream, samples } = await decodeBytes(bytes);
    const whole = storedTone(STEREO_TONES[0]!.hz, STEREO_TONES[0]!.level, 16000, 6400);
    expect(stream.health).toMatchObject({ damagedPackets: 1, decodedPackets: 1 });
    expect(samples[0]!.subarray(0, 4096).every((value) => value === 0)).toBe(true);
    expect(samples[0]!.subarray(4096)).toEqual(whole.subarray(4096));
  });

  it('cut in the middle of a packet', async () => {
    const { stream, samples } = await decodeBytes(fixtureBytes('flac16.flac').subarray(0, -500));
    expect(stream.health.truncated).toBe(true);
    expect(samples[0]).toHaveLength(4096);
  });
});

describe('E-AC-3', () => {
  it('a packet the codec rejects is one of twelve, though the file is read as one chunk', async () => {
    const bytes = fixtureBytes('tone.eac3');
    // Packets of 418 bytes after a first of 416: a reserved sample rate in the header of the sixth.
    const sixth = 416 + 4 * 418;
    expect([...bytes.subarray(sixth, sixth + 2)]).toEqual([0x0b, 0x77]);
    bytes[sixth + 4] = 0xc0;
    const { stream, samples } = await decodeBytes(bytes);
    expect(samples[0]).toHaveLength(11 * 1536);
    expect(stream.health).toMatchObject({ decodedPackets: 11, damagedPackets: 1 });
  });
});

describe('MP3', () => {
  it('finds its way back after bytes that do not belong there', async () => {
    const bytes = fixtureBytes('no-info.mp3');
    const torn = concatenate(bytes.subarray(0, 2000), new Uint8Array(700).fill(0x55), bytes.subarray(2000));
    const { stream, samples } = await decodeBytes(torn);
    expect(stream.health.damagedPackets).toBeGreaterThan(0);
    // Of 17 packets one was torn apart; its neighbours survive.
    expect(samples[0]!.length).toBeGreaterThanOrEqual(15 * 1152);
  });

  it('cut inside the last packet', async () => {
    const { stream } = await decodeBytes(fixtureBytes('no-info.mp3').subarray(0, -100));
    expect(stream.health.truncated).toBe(true);
  });

  it('an info packet that was never filled in declares no length', async () => {
    const bytes = fixtureBytes('lame.mp3');
    const at = Buffer.from(bytes).indexOf('Info', 0, 'latin1');
    bytes.fill(0, at + 8, at + 12);
    const { stream } = await decodeBytes(bytes);
    expect(stream.declaredSamples).toBeNull();
  });

  it('two files joined give both, though the first declares its own end', async () => {
    const bytes = fixtureBytes('lame.mp3');
    const { samples } = await decodeBytes(concatenate(bytes, bytes));
    expect(samples[0]!.length).toBeGreaterThan(2 * 17640);
  });

  it('a change of sample rate in the middle is refused, not played too fast', async () => {
    const other = fixtureBytes('no-info.mp3');
    // The same packets at 48 kHz: shorter by their headers, so rebuilt from headers alone.
    const packet = new Uint8Array(288);
    packet.set([0xff, 0xfb, 0x74, other[3]!]);
    const joined = concatenate(other, ...Array.from({ length: 8 }, () => packet));
    await expect(decodeBytes(joined)).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringContaining('44100 Hz to 48000 Hz'),
    });
  });
});

describe('Ogg', () => {
  it('a page with a wrong checksum is left out and its time filled with silence', async () => {
    const bytes = fixtureBytes('opus.ogg');
    const whole = await decodeBytes(bytes);
    const pages = oggPages(bytes);
    expect(pages.length).toBeGreaterThan(3);
    const torn = bytes.slice();
    torn[pages[3]! + 200]! ^= 1;
    const { stream, samples } = await decodeBytes(torn);
    expect(stream.health.damagedPackets).toBeGreaterThan(0);
    expect(Math.abs(samples[0]!.length - whole.samples[0]!.length)).toBeLessThanOrEqual(960);
  });

  it('chained streams of one format are joined', async () => {
    const bytes = fixtureBytes('opus.ogg');
    const { samples } = await decodeBytes(concatenate(bytes, bytes));
    expect(samples[0]).toHaveLength(2 * 19200);
  });

  it.each([
    ['vorbis.ogg', 17640],
    ['opus.ogg', 19200],
  ])('%s is kept when the recording was cut in the headers of the next song', async (name, sampleCount) => {
    const bytes = fixtureBytes(name);
    const { stream, samples } = await decodeBytes(concatenate(bytes, bytes.subarray(0, oggPages(bytes)[1])));
    expect(samples[0]).toHaveLength(sampleCount);
    expect(stream.health.truncated).toBe(true);
  });

  it.each(['opus.ogg', 'vorbis.ogg'])(
    'a song like %s of which a station sent nothing but headers is passed over',
    async (name) => {
      const empty = fixtureBytes(name);
      const song = fixtureBytes('opus.ogg');
      const { stream, samples } = await decodeBytes(concatenate(empty.subarray(0, oggPages(empty)[2]), song));
      expect(samples[0]).toHaveLength(19200);
      expect([stream.codec, stream.health.damagedPackets]).toEqual(['Opus', 0]);
    },
  );

  it('nothing but headers is no audio', async () => {
    const bytes = fixtureBytes('opus.ogg');
    await expect(decodeBytes(bytes.subarray(0, oggPages(bytes)[2]))).rejects.toMatchObject({
      code: 'corrupt_audio',
      message: expect.stringContaining('ends inside its headers'),
    });
  });

  it('chained streams of different formats are refused', async () => {
    const joined = concatenate(fixtureBytes('opus.ogg'), fixtureBytes('surround-opus.ogg'));
    await expect(decodeBytes(joined)).rejects.toMatchObject({ code: 'unsupported_format' });
  });
});

describe('MP4', () => {
  it('without its index at the end there is nothing to hold on to', async () => {
    const bytes = fixtureBytes('aac-moov-last.m4a');
    await expect(decodeBytes(bytes.subarray(0, -1500))).rejects.toMatchObject({
      code: 'corrupt_audio',
      message: expect.stringContaining('incomplete'),
    });
  });

  it('a fragment cut inside its index is lost, and that is noticed', async () => {
    const bytes = fixtureBytes('aac-fragmented.mp4');
    // Its one fragment, index and packets, lies from byte 733 to 5,915; here half of the index follows once more.
    const cut = concatenate(bytes.subarray(0, 5_915), bytes.subarray(733, 863));
    const { stream, samples } = await decodeBytes(cut);
    expect(samples[0]).toHaveLength(18 * 1024);
    expect(stream.health.truncated).toBe(true);
  });

  it('a table of packets longer than its box is read as far as the box goes', async () => {
    const bytes = fixtureBytes('alac.m4a');
    const at = bytes.findIndex((_, i) => String.fromCharCode(...bytes.subarray(i, i + 4)) === 'stsz');
    bytes.fill(0xff, at + 12, at + 16);
    const { samples } = await decodeBytes(bytes);
    expect(samples[0]).toHaveLength(6400);
  });
});

describe('WavPack', () => {
  it('a block that declares more bytes than there are is left out, and the file is not called cut for it', async () => {
    const block = fixtureBytes('wavpack.wv').subarray(0, 12_526);
    const bytes = concatenate(block, block, block);
    new DataView(bytes.buffer).setUint32(block.length + 4, bytes.length, true);
    const { stream, samples } = await decodeBytes(bytes);
    expect(samples[0]).toHaveLength(2 * 6400);
    expect(stream.health).toMatchObject({ decodedPackets: 2, damagedPackets: 1, truncated: false });
  });

  it('cut inside its last block', async () => {
    const block = fixtureBytes('wavpack.wv').subarray(0, 12_526);
    const { stream, samples } = await decodeBytes(concatenate(block, block.subarray(0, -1)));
    expect(samples[0]).toHaveLength(6400);
    expect(stream.health.truncated).toBe(true);
  });
});

describe('Matroska', () => {
  // One of the blocks begins at byte 2,256; its cluster ends at 5,119, and the index behind it at 5,141.
  it.each([
    ['between two blocks', 2_256],
    ['inside the header of a block', 2_257],
    ['inside a block', 2_300],
  ])('a cut is noticed: %s', async (_, byteSize) => {
    const { stream } = await decodeBytes(fixtureBytes('opus.webm').subarray(0, byteSize));
    expect(stream.health.truncated).toBe(true);
  });

  it('behind its last block there is nothing to be missed', async () => {
    const { stream } = await decodeBytes(fixtureBytes('opus.webm').subarray(0, 5_119));
    expect(stream.health.truncated).toBe(false);
  });

  it('cut in the middle gives what is there', async () => {
    const bytes = fixtureBytes('opus.webm');
    const { samples } = await decodeBytes(bytes.subarray(0, 3000));
    expect(samples[0]!.length).toBeGreaterThan(4800);
    expect(samples[0]!.length).toBeLessThan(19200);
  });
});
