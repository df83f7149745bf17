import { expect, it } from 'vitest';
import { findMpegPacket, walkMpegPackets } from '../containers/mpeg-packets.ts';
import { newHealth } from '../stream/audio-stream.ts';
import { fixtureBytes } from '../test/fixture-audio.ts';
import { memorySource } from '../test/memory-source.ts';
import { createElementaryDecoder } from './elementary.ts';

it('a packet without a valid header is counted as damaged, and the packets after it are decoded', async () => {
  const bytes = fixtureBytes('no-info.mp3');
  const source = memorySource(bytes);
  const first = findMpegPacket(source, 0, bytes.length)!;
  const packets = [...walkMpegPackets(source, first, bytes.length, newHealth())].map(({ position, header }) =>
    bytes.slice(position, position + header.byteLength),
  );
  expect(packets).toHaveLength(17);
  packets[0]!.fill(0, 0, 4);
  const decoder = await createElementaryDecoder('mpeg');
  const samples = decoder.decode(packets);
  expect(samples.map(({ length }) => length)).toEqual([16 * 1152, 16 * 1152]);
  expect(decoder).toMatchObject({ decodedPackets: 16, damagedPackets: 1, codec: 'MP3' });
});
