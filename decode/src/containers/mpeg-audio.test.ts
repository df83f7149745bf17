import { expect, it } from 'vitest';
import { sampleCountOf } from '../stream/audio-stream.ts';
import { fixtureBytes } from '../test/fixture-audio.ts';
import { memorySource } from '../test/memory-source.ts';
import { openMpegAudio } from './mpeg-audio.ts';

const open = (...parts: Uint8Array[]) => openMpegAudio(memorySource(new Uint8Array(Buffer.concat(parts))));

it('an MP3 that holds only an info packet is refused', async () => {
  const bytes = Buffer.from(fixtureBytes('lame.mp3'));
  // Four bytes of header and 32 of side information precede the name. At 128 kbit/s the packet has 417 bytes.
  const start = bytes.indexOf('Info', 0, 'latin1') - 36;
  await expect(open(bytes.subarray(start, start + 417))).rejects.toMatchObject({
    code: 'corrupt_audio',
    message: 'The MP3 holds a header and no audio.',
  });
});

it('an MP3 is found if its first packet ends in the first mebibyte, and refused if it ends later', async () => {
  const bytes = fixtureBytes('no-info.mp3');
  // At 96 kbit/s and 44.1 kHz the first packet has 313 bytes.
  const leadBytesMax = 2 ** 20 - 313;
  const { blocks } = await open(new Uint8Array(leadBytesMax), bytes);
  let sampleCount = 0;
  for await (const block of blocks) sampleCount += sampleCountOf(block);
  expect(sampleCount).toBe(17 * 1152);
  await expect(open(new Uint8Array(leadBytesMax + 1), bytes)).rejects.toMatchObject({
    code: 'corrupt_audio',
  });
});
