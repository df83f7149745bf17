import { describe, expect, it } from 'vitest';
import {
  decodeBytes,
  fixtureBytes,
  measureTone,
  STEREO_TONES,
  SURROUND_TONES,
  storedTone,
} from '../test/fixture-audio.ts';

/** All encode 0.4 s. Formats that cannot declare their padding decode to more samples. Of WMA, FFmpeg drops one of nine packets. */
const LOSSY: [string, { container: string; codec: string; sampleRateHz: number; sampleCount: number }][] = [
  ['lame.mp3', { container: 'MPEG', codec: 'MP3', sampleRateHz: 44100, sampleCount: 17640 }],
  ['no-info.mp3', { container: 'MPEG', codec: 'MP3', sampleRateHz: 44100, sampleCount: 17 * 1152 }],
  ['mp3.wav', { container: 'WAV', codec: 'MP3', sampleRateHz: 44100, sampleCount: 17 * 1152 }],
  ['tone.mp2', { container: 'MPEG', codec: 'MP2', sampleRateHz: 44100, sampleCount: 16 * 1152 }],
  ['vorbis.ogg', { container: 'Ogg', codec: 'Vorbis', sampleRateHz: 44100, sampleCount: 17640 }],
  ['vorbis.webm', { container: 'Matroska', codec: 'Vorbis', sampleRateHz: 44100, sampleCount: 17984 }],
  ['opus.ogg', { container: 'Ogg', codec: 'Opus', sampleRateHz: 48000, sampleCount: 19200 }],
  ['opus.webm', { container: 'Matroska', codec: 'Opus', sampleRateHz: 48000, sampleCount: 19200 }],
  ['aac-moov-last.m4a', { container: 'MP4', codec: 'AAC', sampleRateHz: 44100, sampleCount: 17640 }],
  ['aac-fragmented.mp4', { container: 'MP4', codec: 'AAC', sampleRateHz: 44100, sampleCount: 18 * 1024 }],
  ['aac-behind-video.mp4', { container: 'MP4', codec: 'AAC', sampleRateHz: 44100, sampleCount: 18 * 1024 }],
  ['adts.aac', { container: 'ADTS', codec: 'AAC', sampleRateHz: 44100, sampleCount: 18 * 1024 }],
  ['he-aac.m4a', { container: 'MP4', codec: 'AAC', sampleRateHz: 44100, sampleCount: 17640 }],
  ['wma.wma', { container: 'ASF', codec: 'WMA', sampleRateHz: 44100, sampleCount: 16384 }],
  ['tone.ac3', { container: 'AC-3', codec: 'AC-3', sampleRateHz: 44100, sampleCount: 12 * 1536 }],
  ['tone.eac3', { container: 'AC-3', codec: 'AC-3', sampleRateHz: 44100, sampleCount: 12 * 1536 }],
  ['tone.dts', { container: 'DTS', codec: 'DTS', sampleRateHz: 44100, sampleCount: 35 * 512 }],
  ['adpcm-ima.wav', { container: 'WAV', codec: 'IMA ADPCM', sampleRateHz: 16000, sampleCount: 7119 }],
  ['adpcm-ms.wav', { container: 'WAV', codec: 'MS ADPCM', sampleRateHz: 16000, sampleCount: 7084 }],
];

describe('lossy formats', () => {
  it.each(LOSSY)('%s decodes to both tones at their level and to its length', async (name, expected) => {
    const { stream, samples } = await decodeBytes(fixtureBytes(name));
    const { container, codec, sampleRateHz } = stream;
    expect({ container, codec, sampleRateHz, sampleCount: samples[0]!.length }).toEqual(expected);
    expect(samples).toHaveLength(2);
    expect(stream.health).toMatchObject({ damagedPackets: 0, truncated: false });
    for (const [channel, { hz, level }] of STEREO_TONES.entries()) {
      const tone = measureTone(samples[channel]!, sampleRateHz, hz);
      // LAME scales by 0.95; the others stay within 0.3 dB.
      expect(tone.level / level).toBeGreaterThan(codec === 'MP3' ? 0.94 : 0.966);
      expect(tone.level / level).toBeLessThan(1.035);
      // Even in the worst of these encodings the noise stays 26 dB below the tone.
      expect(tone.rest / level).toBeLessThan(0.05);
    }
  });
});

describe('AAC', () => {
  /** Root mean square of the level of a tone at full length. */
  const levelOf = (samples: Float32Array) =>
    Math.sqrt((2 * samples.reduce((sum, value) => sum + value * value, 0)) / samples.length);

  it('of high efficiency begins and ends where its edit list says', async () => {
    const { samples } = await decodeBytes(fixtureBytes('he-aac.m4a'));
    // Five periods of the left tone, whose level is 0.5. It lasts for as long as the file, so silence at an end is encoder delay or
    // padding: at a level of 0.49, four samples in a hundred.
    for (const end of [samples[0]!.subarray(0, 501), samples[0]!.subarray(-501)]) {
      expect(levelOf(end)).toBeGreaterThan(0.49);
    }
  });

  it('of high efficiency, version 2, decodes to the mono channel that its stereo is made from', async () => {
    const { stream, samples } = await decodeBytes(fixtureBytes('he-aac-v2.m4a'));
    expect(stream).toMatchObject({ codec: 'AAC', sampleRateHz: 44100, channelCount: 1 });
    expect(samples[0]).toHaveLength(17640);
    // The sum of both channels keeps their energy if it is divided by √2. The encoder comes within half a percent.
    for (const { hz, level } of STEREO_TONES)
      expect((measureTone(samples[0]!, 44100, hz).level * Math.SQRT2) / level).toBeCloseTo(1, 2);
  });

  it('whose edit list begins inside the first packet keeps its times: silence replaces what FAAD2 leaves out', async () => {
    const bytes = fixtureBytes('aac-moov-last.m4a');
    const whole = (await decodeBytes(bytes)).samples[0]!;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const startAt = Buffer.from(bytes.buffer, bytes.byteOffset).indexOf('elst') + 16;
    expect(view.getUint32(startAt)).toBe(1024);
    view.setUint32(startAt, 1000);
    const { samples } = await decodeBytes(bytes);
    expect(samples[0]!.subarray(0, 24)).toEqual(new Float32Array(24));
    expect(samples[0]!.subarray(24)).toEqual(whole);
  });
});

it('Opus in a fragmented MP4 without an edit list begins after the delay that its header declares', async () => {
  const { samples } = await decodeBytes(fixtureBytes('opus-fragmented.mp4'));
  const plain = await decodeBytes(fixtureBytes('opus.webm'));
  // All 21 packets without their delay: only an edit list would declare the padding at the end.
  expect(samples[0]).toHaveLength(21 * 960 - 312);
  expect(samples[0]!.subarray(0, 19_200)).toEqual(plain.samples[0]);
});

/** 0.4 s of the lossless fixtures. */
const LOSSLESS_RATE_HZ = 16_000;
const LOSSLESS_SAMPLES = 6_400;

describe('lossless formats', () => {
  const names = ['flac16.flac', 'flac.ogg', 'flac.mka', 'alac.m4a', 'alac.caf', 'wavpack.wv', 'tta.tta'];
  it.each(names)('%s decodes to exactly the stored samples', async (name) => {
    const { stream, samples } = await decodeBytes(fixtureBytes(name));
    expect(stream.bitDepth).toBe(16);
    for (const [channel, { hz, level }] of STEREO_TONES.entries()) {
      expect(samples[channel]).toEqual(storedTone(hz, level, LOSSLESS_RATE_HZ, LOSSLESS_SAMPLES));
    }
  });

  it('alac-mono.m4a decodes to one channel', async () => {
    const { samples } = await decodeBytes(fixtureBytes('alac-mono.m4a'));
    const [{ hz, level }] = STEREO_TONES;
    expect(samples).toEqual([storedTone(hz, level, LOSSLESS_RATE_HZ, LOSSLESS_SAMPLES)]);
  });

  it('flac24.flac decodes to integers of 24 bits, not of 16', async () => {
    const { stream, samples } = await decodeBytes(fixtureBytes('flac24.flac'));
    expect(stream.bitDepth).toBe(24);
    const stored = samples[0]!.map((value) => value * 2 ** 23);
    expect(stored.every((value) => Number.isInteger(value))).toBe(true);
    expect(stored.some((value) => value % 256 !== 0)).toBe(true);
  });

  it('alac24.m4a decodes to the same samples as flac24.flac', async () => {
    const { stream, samples } = await decodeBytes(fixtureBytes('alac24.m4a'));
    expect(stream.bitDepth).toBe(24);
    expect(samples).toEqual((await decodeBytes(fixtureBytes('flac24.flac'))).samples);
  });
});

const SURROUND_HZ = SURROUND_TONES.map(({ hz }) => hz);

it.each([
  ['surround-vorbis.ogg', SURROUND_HZ],
  ['surround-opus.ogg', SURROUND_HZ],
  ['surround-aac.m4a', SURROUND_HZ],
  ['surround-alac.m4a', SURROUND_HZ],
  ['surround.ac3', SURROUND_HZ],
  ['surround71-aac.m4a', [...SURROUND_HZ, 900, 1000]],
])('%s decodes to its channels in WAV order', async (name, tonesHz) => {
  const { stream, samples } = await decodeBytes(fixtureBytes(name));
  const loudestHz = samples.map((channel) => {
    const levels = tonesHz.map((hz) => measureTone(channel, stream.sampleRateHz, hz).level);
    return tonesHz[levels.indexOf(Math.max(...levels))];
  });
  expect(loudestHz).toEqual(tonesHz);
});

it.each([
  ['WMA: two packets of 3,200 bytes', 'wma.wma', 2 * 3_200],
  ['Ogg: from the third page on', 'vorbis.ogg', 5_727 - 4_055],
  ['TTA: the one packet in its table', 'tta.tta', 11_757],
  ['WavPack: its one block', 'wavpack.wv', 12_526],
])('the audio bytes are those of the packets, without tags and pictures. %s', async (_, name, audioBytes) => {
  const { stream } = await decodeBytes(fixtureBytes(name));
  expect(stream.audioBytes).toBe(audioBytes);
});

describe('openAudio', () => {
  const tag = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 2, 0, ...new Array(256).fill(0)];

  it('finds FLAC behind an ID3 tag', async () => {
    const flac = fixtureBytes('flac16.flac');
    const { stream, samples } = await decodeBytes(Uint8Array.from([...tag, ...flac]));
    expect(stream.codec).toBe('FLAC');
    expect(samples[0]).toHaveLength(LOSSLESS_SAMPLES);
  });

  it.each([
    'adpcm-ms.wav',
    'alac.caf',
    'aac-moov-last.m4a',
    'opus.webm',
    'wavpack.wv',
    'tone.ac3',
    'vorbis.ogg',
  ])('finds %s behind two ID3 tags, a new one before an old one', async (name) => {
    const plain = await decodeBytes(fixtureBytes(name));
    const tagged = await decodeBytes(Uint8Array.from([...tag, ...tag, ...fixtureBytes(name)]));
    expect(tagged.samples).toEqual(plain.samples);
    expect(tagged.stream.health).toEqual(plain.stream.health);
  });

  it.each([
    ['other bytes', new Array(3000).fill(0x81)],
    ['a broken ID3 tag, longer than the file', [0x49, 0x44, 0x33, 4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f]],
  ])('finds an MP3 behind %s', async (_, lead) => {
    const { samples } = await decodeBytes(Uint8Array.from([...lead, ...fixtureBytes('no-info.mp3')]));
    expect(samples[0]).toHaveLength(17 * 1152);
  });

  it.each<[string, number[], string]>([
    ['one byte', [0], 'unsupported_format'],
    ['noise', Array.from({ length: 5000 }, (_, i) => (i * i * 31 + i * 7 + 200) % 256), 'unsupported_format'],
    ['only the signature of FLAC', [...'fLaC'].map((letter) => letter.charCodeAt(0)), 'corrupt_audio'],
    ['only the signature of Ogg', [...'OggS\0'].map((letter) => letter.charCodeAt(0)), 'corrupt_audio'],
    [
      'only the signature of WAV',
      [...'RIFF\0\0\0\0WAVE'].map((letter) => letter.charCodeAt(0)),
      'corrupt_audio',
    ],
  ])('refuses %s', async (_, bytes, code) => {
    await expect(decodeBytes(Uint8Array.from(bytes))).rejects.toMatchObject({ code });
  });

  it('refuses a free-format MP3 by name', async () => {
    // 480 kbit/s: packets of 1,567 and, with padding, 1,568 bytes.
    const packets = [0, 1, 0, 1].flatMap((padding) => [
      0xff,
      0xfb,
      padding << 1,
      0x44,
      ...new Array(1563 + padding).fill(0x55),
    ]);
    await expect(decodeBytes(Uint8Array.from(packets))).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringContaining('free-format MP3'),
    });
  });

  it('refuses a WMA file that is protected by name', async () => {
    const bytes = Buffer.from(fixtureBytes('wma.wma'));
    // The object with the tags, at byte 180, becomes the Content Encryption Object.
    expect(bytes.toString('hex', 180, 184)).toBe('40a4d0d2');
    bytes.write('fbb3112223bdd211b4b700a0c955fc6e', 180, 'hex');
    await expect(decodeBytes(new Uint8Array(bytes))).rejects.toMatchObject({
      code: 'unsupported_format',
      message: 'The file is protected (DRM) and cannot be decoded.',
    });
  });

  it.each([
    ['an HLS playlist', '#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:3,\nfile:///etc/passwd\n'],
    ['a text file', 'This is a letter that was named song.mp3.'],
    ['a ZIP archive', 'PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaa'],
  ])('refuses %s by name', async (name, content) => {
    await expect(decodeBytes(new TextEncoder().encode(content))).rejects.toMatchObject({
      code: 'unsupported_format',
      message: expect.stringContaining(name),
    });
  });
});
