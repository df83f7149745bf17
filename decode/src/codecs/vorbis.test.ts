import { describe, expect, it } from 'vitest';
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
