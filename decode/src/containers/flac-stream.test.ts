import { describe, expect, it } from 'vitest';
import { memorySource } from '../stream/file-bytes.ts';
import { FLAC_PACKET_SAMPLES, flacHeader, flacPacket } from '../test/flac-bytes.ts';
import { openFlacStream } from './flac-stream.ts';

function play(...parts: Uint8Array[]) {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  const { blocks, health } = openFlacStream(memorySource(bytes), 0);
  Array.from(blocks as Iterable<Float32Array[]>);
  return { health };
}

const packet = (number: number) => flacPacket(number, number);

describe('a cut FLAC stream', () => {
  it('is whole with all of its packets', () => {
    const { health } = play(flacHeader(2 * FLAC_PACKET_SAMPLES), packet(0), packet(1));
    expect(health).toMatchObject({ decodedPackets: 2, damagedPackets: 0, truncated: false });
  });

  it('is truncated where the cut falls between packets', () => {
    expect(play(flacHeader(2 * FLAC_PACKET_SAMPLES), packet(0)).health.truncated).toBe(true);
    expect(play(flacHeader(2 * FLAC_PACKET_SAMPLES)).health.truncated).toBe(true);
  });

  it.each([
    ['inside the picture, the last block', flacHeader(FLAC_PACKET_SAMPLES, 500).subarray(0, -100)],
    ['after STREAMINFO, with a picture announced', flacHeader(FLAC_PACKET_SAMPLES, 500).subarray(0, 42)],
    ['inside STREAMINFO', flacHeader(FLAC_PACKET_SAMPLES).subarray(0, 30)],
  ])('says so: %s', (_, bytes) => {
    expect(() => play(bytes)).toThrow(
      expect.objectContaining({
        code: 'corrupt_audio',
        message: expect.stringContaining('ends inside its header'),
      }),
    );
  });
});
