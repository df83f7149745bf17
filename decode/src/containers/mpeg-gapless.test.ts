import { describe, expect, it } from 'vitest';
import { parseMpegHeader } from '../codecs/mpeg-header.ts';
import { u32 } from '../test/mp4-bytes.ts';
import { parseMpegInfoTag } from './mpeg-gapless.ts';

const text = (value: string) => [...value].map((character) => character.charCodeAt(0));
/** MPEG-1 layer III, 128 kbit/s, 44.1 kHz, stereo: 417 bytes, 1,152 samples, 32 bytes of side information. */
const HEADER = [0xff, 0xfb, 0x90, 0x00];
const PACKET_BYTES = 417;
/** Two packets plus the delay of the decoder. */
const DELAY_SAMPLES_MAX = 2 * 1152 + 529;
const HAS_COUNT = 1;
const HAS_BYTES = 2;
const HAS_SEEK_TABLE = 4;
const HAS_QUALITY = 8;

function parse(afterSideInfo: number[], header = HEADER) {
  const bytes = new Uint8Array(PACKET_BYTES);
  bytes.set([...header, ...new Array(32).fill(0), ...afterSideInfo]);
  return parseMpegInfoTag(bytes, parseMpegHeader(bytes, 0)!);
}

/** LAME's fields: a name, twelve other bytes, and twelve bits each of delay and padding. */
const lame = (delay: number, padding: number, name = 'LAME3.100') => [
  ...text(name),
  ...new Array(21 - name.length).fill(0),
  ...[delay >> 4, ((delay & 15) << 4) | (padding >> 8), padding & 255],
];
const info = (flags: number, ...fields: number[]) => [...text('Info'), ...u32(flags), ...fields];

describe('parseMpegInfoTag', () => {
  it('adds the delay of the decoder to that of the encoder, and takes it from the padding', () => {
    // 576 and 1,105 are LAME's own values for a song of 100 packets; the decoder adds 529.
    expect(parse(info(HAS_COUNT, ...u32(100), ...lame(576, 1105)))).toEqual({
      packetCount: 100,
      gapless: { headSamples: 1105, tailSamples: 576 },
    });
  });

  it('finds the fields of LAME after all optional fields', () => {
    const flags = HAS_COUNT | HAS_BYTES | HAS_SEEK_TABLE | HAS_QUALITY;
    const fields = [...u32(100, 41_700), ...new Array(100).fill(9), ...u32(50)];
    expect(parse([...text('Xing'), ...u32(flags), ...fields, ...lame(576, 529)])).toEqual({
      packetCount: 100,
      gapless: { headSamples: 1105, tailSamples: 0 },
    });
  });

  it('has no negative tail if the padding is shorter than the delay of the decoder', () => {
    expect(parse(info(HAS_COUNT, ...u32(100), ...lame(576, 100)))?.gapless?.tailSamples).toBe(0);
  });

  it('accepts a delay of two packets plus that of the decoder', () => {
    expect(parse(info(HAS_COUNT, ...u32(100), ...lame(DELAY_SAMPLES_MAX, 0)))?.gapless).toEqual({
      headSamples: DELAY_SAMPLES_MAX + 529,
      tailSamples: 0,
    });
  });

  it.each([
    ['without the name of an encoder', info(HAS_COUNT, ...u32(100), ...lame(576, 1105, '\0'))],
    [
      'with a delay of more than two packets plus that of the decoder',
      info(HAS_COUNT, ...u32(100), ...lame(DELAY_SAMPLES_MAX + 1, 0)),
    ],
    ['with more padding than samples', info(HAS_COUNT, ...u32(1), ...lame(576, 576))],
  ])('ignores fields %s', (_, fields) => {
    expect(parse(fields)?.gapless).toBeNull();
  });

  it('has no packet count if it was never filled in', () => {
    expect(parse(info(HAS_COUNT, ...u32(0), ...lame(576, 1105)))).toEqual({
      packetCount: null,
      gapless: null,
    });
    expect(parse(info(0))).toEqual({ packetCount: null, gapless: null });
  });

  it("reads the packet count of Fraunhofer's tag, 32 bytes after the header even in mono", () => {
    // In mono the side information has 17 bytes.
    for (const header of [HEADER, [0xff, 0xfb, 0x90, 0xc0]]) {
      expect(parse([...text('VBRI'), ...new Array(10).fill(0), ...u32(77)], header)).toEqual({
        packetCount: 77,
        gapless: null,
      });
    }
  });

  it('is null for audio', () => {
    expect(parse([1, 2, 3])).toBeNull();
    // The same bytes in layer II, which has no such packet.
    expect(parse(info(HAS_COUNT, ...u32(100)), [0xff, 0xfd, 0x90, 0x00])).toBeNull();
  });
});
