import { describe, expect, it } from 'vitest';
import { decodeBytes, fixtureBytes } from '../test/fixture-audio.ts';
import { box, FILE_TYPE, soundTrack, u32 } from '../test/mp4-bytes.ts';

/** Chunks of `perChunk` packets, all of `packetBytes`, in a file with 8 bytes of audio. */
function fixedSizeFile(codec: string, packetBytes: number, count: number, perChunk = 4): Uint8Array {
  const moovOf = (audioAt: number) =>
    box(
      'moov',
      soundTrack(
        {
          sizes: u32(packetBytes, count),
          chunkRuns: u32(1, 1, perChunk, 1),
          chunkOffsets: u32(2, audioAt, audioAt + 4),
        },
        codec,
      ),
    );
  const audioAt = FILE_TYPE.length + moovOf(0).length + 8;
  return Uint8Array.from([...FILE_TYPE, ...moovOf(audioAt), ...box('mdat', [1, 2, 3, 4, 5, 6, 7, 8])]);
}

describe('audioBytes', () => {
  it.each(['alac.m4a', 'aac-moov-last.m4a'])('of %s is the length of its mdat', async (name) => {
    const bytes = Buffer.from(fixtureBytes(name));
    const mdat = bytes.indexOf('mdat', 0, 'latin1');
    const { stream } = await decodeBytes(new Uint8Array(bytes));
    expect(stream.audioBytes).toBe(bytes.readUInt32BE(mdat - 4) - 8);
  });

  it('includes a last sample that is alone in its chunk', async () => {
    const { stream, samples } = await decodeBytes(fixedSizeFile('sowt', 1, 5));
    expect(stream.audioBytes).toBe(5);
    expect(samples.map((channel) => [...channel].map((sample) => sample * 128))).toEqual([[1, 2, 3, 4, 5]]);
  });
});

// Four billion iterations would take minutes, so this test checks by its time limit that there are none.
it.each([
  ['2 GiB', 0x7fff_ffff],
  ['one byte', 1],
])('refuses four billion packets of %s that are not in the file', async (_, packetBytes) => {
  await expect(
    decodeBytes(fixedSizeFile('.mp3', packetBytes, 0xffff_ffff, 0xffff_ffff)),
  ).rejects.toMatchObject({
    code: 'corrupt_audio',
  });
});
