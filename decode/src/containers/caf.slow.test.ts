import { describe, expect, it } from 'vitest';
import { decodeBytes, fixtureBytes, STEREO_TONES, storedTone } from '../test/fixture-audio.ts';

const text = (value: string) => Buffer.from(value, 'latin1');
const i64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
};
const chunk = (id: string, ...parts: Uint8Array[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([text(id), i64(body.length), body]);
};
const file = (...chunks: Uint8Array[]) =>
  new Uint8Array(Buffer.concat([text('caff'), Buffer.from([0, 1, 0, 0]), ...chunks]));

/** The body of a chunk of alac.caf: 4,096 and 2,304 samples of two channels in two packets. */
const ALAC = Buffer.from(fixtureBytes('alac.caf'));
function bodyOf(id: string): Buffer {
  const at = ALAC.indexOf(id, 0, 'latin1');
  return ALAC.subarray(at + 12, at + 12 + Number(ALAC.readBigInt64BE(at + 4)));
}
const DESCRIPTION = chunk('desc', bodyOf('desc'));
const COOKIE = chunk('kuki', bodyOf('kuki'));
const DATA = chunk('data', bodyOf('data'));
const [FIRST_BYTES, SECOND_BYTES] = [7_326, 4_243];
const WHOLE = STEREO_TONES.map(({ hz, level }) => storedTone(hz, level, 16_000, 6_400));

/** A number in the table: seven bits per byte, highest first; the last byte lacks the highest bit. */
const number = (value: number) => [0x80 | (value >> 7), value & 0x7f];
function table(sizes: number[], { validSamples = 6_400, primingSamples = 0 } = {}): Buffer {
  const counts = Buffer.alloc(8);
  counts.writeInt32BE(primingSamples);
  // The number of packets is not used.
  return chunk('pakt', i64(0), i64(validSamples), counts, Buffer.from(sizes.flatMap(number)));
}

describe('the packet table', () => {
  it('gives the sizes of the packets', async () => {
    const { stream, samples } = await decodeBytes(
      file(DESCRIPTION, COOKIE, table([FIRST_BYTES, SECOND_BYTES]), DATA),
    );
    expect(samples).toEqual(WHOLE);
    expect(stream).toMatchObject({ container: 'CAF', declaredSamples: 6_400, health: { truncated: false } });
  });

  it('gives the samples at the start and at the end that are not part of the recording', async () => {
    const trimmed = table([FIRST_BYTES, SECOND_BYTES], { primingSamples: 100, validSamples: 6_000 });
    const { stream, samples } = await decodeBytes(file(DESCRIPTION, COOKIE, trimmed, DATA));
    expect(samples).toEqual(WHOLE.map((channel) => channel.subarray(100, 6_100)));
    expect(stream.declaredSamples).toBe(6_000);
  });

  it('has a count of samples after each size if the packets differ in it', async () => {
    const description = Buffer.from(bodyOf('desc'));
    // The samples of every packet.
    description.writeUInt32BE(0, 20);
    const sizesAndCounts = table([FIRST_BYTES, 4_096, SECOND_BYTES, 2_304]);
    const { samples } = await decodeBytes(file(chunk('desc', description), COOKIE, sizesAndCounts, DATA));
    expect(samples).toEqual(WHOLE);
  });

  it('that lists more bytes than there are loses the packet at the end, and the stream is truncated', async () => {
    const { stream, samples } = await decodeBytes(
      file(DESCRIPTION, COOKIE, table([FIRST_BYTES, SECOND_BYTES + 1]), DATA),
    );
    expect(samples).toEqual(WHOLE.map((channel) => channel.subarray(0, 4_096)));
    expect(stream.health.truncated).toBe(true);
  });
});

describe('AAC in CAF', () => {
  const adts = Buffer.from(fixtureBytes('adts.aac'));
  /** The packets of adts.aac without their headers of seven bytes, which hold the length (ISO/IEC 14496-3, 1.A.2). */
  const packets: Buffer[] = [];
  for (let at = 0; at < adts.length; ) {
    const end = at + (((adts[at + 3]! & 3) << 11) | (adts[at + 4]! << 3) | (adts[at + 5]! >> 5));
    packets.push(adts.subarray(at + 7, end));
    at = end;
  }
  const description = Buffer.from(bodyOf('desc'));
  description.writeDoubleBE(44_100);
  description.write('aac ', 8);
  description.writeUInt32BE(1_024, 20);
  // AAC-LC, 44.1 kHz, two channels.
  const configuration = [4, 17, 0x40, ...new Array(12).fill(0), 5, 2, 0x12, 0x10];
  const cookie = chunk('kuki', Buffer.from([3, 22, 0, 1, 0, ...configuration]));
  const sizes = packets.map(({ length }) => length);
  const data = chunk('data', Buffer.alloc(4), ...packets);

  // FAAD2 leaves out the first packet, so the samples that are left begin at 1,024.
  it.each([
    [0, 0],
    [1_024, 0],
    [2_112, 2_112 - 1_024],
  ])('with %i priming samples loses %i of those that FAAD2 gives', async (primingSamples, skippedSamples) => {
    const whole = (await decodeBytes(fixtureBytes('adts.aac'))).samples;
    const priming = table(sizes, { primingSamples, validSamples: 0 });
    const { stream, samples } = await decodeBytes(file(chunk('desc', description), cookie, priming, data));
    expect(samples).toEqual(whole.map((channel) => channel.subarray(skippedSamples)));
    expect(stream).toMatchObject({ codec: 'AAC', declaredSamples: null });
  });
});

it('packets of one size need no table', async () => {
  const description = Buffer.from(bodyOf('desc'));
  description.write('ac-3', 8);
  // The bytes of every packet. AC-3 is decoded from pieces of any size.
  description.writeUInt32BE(1_000, 16);
  const bytes = fixtureBytes('tone.ac3');
  const { stream, samples } = await decodeBytes(
    file(chunk('desc', description), chunk('data', Buffer.alloc(4), bytes)),
  );
  expect(samples).toEqual((await decodeBytes(bytes)).samples);
  expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: false });
});

/** PCM of 16 bits. */
function pcm(channelCount: number, sampleRateHz: number): Uint8Array {
  const description = Buffer.from(bodyOf('desc'));
  description.writeDoubleBE(sampleRateHz);
  description.write('lpcm', 8);
  description.writeUInt32BE(channelCount, 24);
  description.writeUInt32BE(16, 28);
  return file(chunk('desc', description), DATA);
}

it('PCM may have 256 channels', async () => {
  expect((await decodeBytes(pcm(256, 8_000))).stream.channelCount).toBe(256);
});

it.each([
  ['of PCM without channels', pcm(0, 8_000), 'corrupt_audio'],
  ['of PCM with 257 channels', pcm(257, 8_000), 'corrupt_audio'],
  ['of PCM without a sample rate', pcm(1, 0), 'corrupt_audio'],
  ['without a description', file(COOKIE, DATA), 'corrupt_audio'],
  [
    'that ends inside its description',
    file(COOKIE, chunk('desc', bodyOf('desc').subarray(0, 31))),
    'corrupt_audio',
  ],
  ['without samples', file(DESCRIPTION, COOKIE), 'corrupt_audio'],
  [
    'of an unknown codec',
    file(chunk('desc', text('\0'.repeat(8)), text('QDM2'), Buffer.alloc(20)), DATA),
    'unsupported_format',
  ],
])('a file %s is refused', async (_, bytes, code) => {
  await expect(decodeBytes(bytes)).rejects.toMatchObject({ code });
});
