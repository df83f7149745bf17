import { describe, expect, it } from 'vitest';
import { OggPacketizer, readOggPages } from '../containers/ogg-pages.ts';
import { newHealth } from '../stream/audio-stream.ts';
import { fixtureBytes } from '../test/fixture-audio.ts';
import { memorySource } from '../test/memory-source.ts';
import { createVorbisDecoder } from './vorbis.ts';

/** Whole files are tested in child/open-audio.slow.test.ts. */

/** The identification header (Vorbis I, 4.2.2): packet type, name, version, channels, rate, three bit rates, block sizes, framing. */
function identificationOf({ channelCount = 2, sampleRateHz = 44_100, name = 'vorbis' }): Uint8Array {
  const bytes = Buffer.alloc(30);
  bytes.write(`\x01${name}`, 'latin1');
  bytes.writeUInt8(channelCount, 11);
  bytes.writeUInt32LE(sampleRateHz, 12);
  bytes.set([0xb8, 1], 28);
  return bytes;
}

const setup = Buffer.from('\x05vorbis', 'latin1');

describe('a Vorbis stream is refused', () => {
  it.each([
    ['whose first header is cut', identificationOf({}).subarray(0, 29), setup, 'has no valid header'],
    ['of another name', identificationOf({ name: 'theora' }), setup, 'has no valid header'],
    [
      'without channels',
      identificationOf({ channelCount: 0 }),
      setup,
      'declares no channels or no sample rate',
    ],
    [
      'without a sample rate',
      identificationOf({ sampleRateHz: 0 }),
      setup,
      'declares no channels or no sample rate',
    ],
    ['without a set-up header', identificationOf({}), Buffer.from('\x03vorbis'), 'set-up header'],
    // One byte more than the buffer of the codec holds.
    [
      'with a set-up header of 128 KiB',
      identificationOf({}),
      Buffer.concat([setup, Buffer.alloc(131_066)]),
      'set-up header',
    ],
  ])('%s', async (_, identification, setupHeader, message) => {
    await expect(createVorbisDecoder(identification, setupHeader)).rejects.toMatchObject({
      code: 'corrupt_audio',
      message: expect.stringContaining(message),
    });
  });
});

describe('a damaged packet is counted and leaves out its samples, and its neighbours overlap', () => {
  const packetizer = new OggPacketizer();
  const pages = [...readOggPages(memorySource(fixtureBytes('vorbis.ogg')), newHealth())];
  const [identification, , setup, ...audio] = pages.flatMap((page) => packetizer.packetsOf(page));

  async function decode(setupHeader: Uint8Array, packets: Uint8Array[]) {
    const decoder = await createVorbisDecoder(identification!, setupHeader);
    const samples = decoder.decode(packets);
    const { decodedPackets, damagedPackets } = decoder;
    return { samples, decodedPackets, damagedPackets };
  }

  it.each([
    ['of a header type', Uint8Array.of(1)],
    ['empty', new Uint8Array(0)],
    // The buffer of the codec holds 128 KiB.
    ['too large', new Uint8Array(131_073)],
  ])('%s', async (_, damaged) => {
    // At the start too, where the memory of the codec still grows with every packet.
    for (const at of [0, 1, 2, 9]) {
      const left = await decode(setup!, audio.toSpliced(at, 1));
      expect(left.decodedPackets).toBe(17);
      expect(await decode(setup!, audio.with(at, damaged))).toEqual({ ...left, damagedPackets: 1 });
    }
  });

  it('of a mode that the set-up header does not have', async () => {
    // Least significant bit first (Vorbis I, 2.1). The header ends with a number of modes (less one, in 6 bits), the modes in 41 bits
    // each, and a one. A third mode takes another bit of every packet, behind its type and the lower bit of its mode.
    const bits = bitsOf(setup!);
    const end = bits.lastIndexOf('1');
    const [first, second] = [bits.slice(end - 82, end - 41), bits.slice(end - 41, end)];
    const threeModes = bytesOf(`${bits.slice(0, end - 82 - 6)}010000${first}${second}${first}1`);
    const packets = audio.map((packet) => bytesOf(bitsOf(packet).replace(/^../, '$&0')));
    const fourthMode = bytesOf('011');
    const whole = await decode(setup!, audio);
    expect(await decode(threeModes, packets)).toEqual(whole);
    expect(await decode(threeModes, packets.toSpliced(9, 0, fourthMode))).toEqual({
      ...whole,
      damagedPackets: 1,
    });
  });
});

function bitsOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => [...byte.toString(2).padStart(8, '0')].reverse().join('')).join('');
}

function bytesOf(bits: string): Uint8Array {
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt([...byte].reverse().join(''), 2));
}
