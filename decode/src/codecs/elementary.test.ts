import { expect, it } from 'vitest';
import { findMpegPacket, walkMpegPackets } from '../containers/mpeg-packets.ts';
import { newHealth } from '../stream/audio-stream.ts';
import { fixtureBytes } from '../test/fixture-audio.ts';
import { memorySource } from '../test/memory-source.ts';
import { adaptStreamDecoder, createElementaryDecoder } from './elementary.ts';

function packetsOf(bytes: Uint8Array): Uint8Array[] {
  const source = memorySource(bytes);
  const first = findMpegPacket(source, 0, bytes.length)!;
  return [...walkMpegPackets(source, first, bytes.length, newHealth())].map(({ position, header }) =>
    bytes.slice(position, position + header.byteLength),
  );
}

it('a packet without a valid header is counted as damaged, and the packets after it are decoded', async () => {
  const packets = packetsOf(fixtureBytes('no-info.mp3'));
  expect(packets).toHaveLength(17);
  packets[0]!.fill(0, 0, 4);
  const decoder = await createElementaryDecoder('mpeg');
  const samples = decoder.decode(packets);
  expect(samples.map(({ length }) => length)).toEqual([16 * 1152, 16 * 1152]);
  expect(decoder).toMatchObject({ decodedPackets: 16, damagedPackets: 1, codec: 'MP3' });
});

it('packets that change to mono keep the two channels of the stream', async () => {
  const packets = packetsOf(fixtureBytes('tone.mp2'));
  const decoder = await createElementaryDecoder('mpeg');
  decoder.decode(packets.slice(0, 8));
  packets[8]![3]! |= 0xc0;
  expect(decoder.decode(packets.slice(8, 9))).toHaveLength(2);
});

it('packets are counted by what the package reports: the samples of each call, and its errors since the start', () => {
  const results = [[], [Float32Array.of(1, 2, 3)], [Float32Array.of(4, 5)]];
  const stream = {
    errors: 0,
    decode: () => {
      stream.errors++;
      return { channelData: results.shift()!, sampleRate: 8_000 };
    },
    flush: () => ({ channelData: [Float32Array.of(6)], sampleRate: 8_000 }),
  };
  const halve = (samples: Float32Array[]) => samples.map((channel) => channel.map((value) => value / 2));
  const decoder = adaptStreamDecoder(stream, 'Test', 'test', 2, halve);
  const packet = [new Uint8Array(1)];
  expect(decoder.decode(packet)).toEqual([]);
  expect(decoder.decode(packet)).toEqual([Float32Array.of(0.5, 1, 1.5)]);
  expect(decoder.decode(packet)).toEqual([Float32Array.of(2, 2.5)]);
  expect(decoder.flush!()).toEqual([Float32Array.of(3)]);
  // A packet has two samples: three are two packets, of which the second is not whole.
  expect(decoder).toMatchObject({ decodedPackets: 3, damagedPackets: 3, sampleRateHz: 8_000 });
});
