import { gzipSync } from 'node:zlib';
import { boxOf, id3Of, movieOf, oggPageOf, withGranules } from './container-pieces.ts';
import { flacOf, silentFlac } from './flac-files.ts';
import { chunkOf, floatSamples, wavOf } from './riff-files.ts';

type NamedFile = readonly [name: string, bytes: Buffer];
type Formats = Record<string, Buffer>;

/**
 * Files such as an attacker who knows the formats would make. Counts and sizes are large enough to exhaust a decoder that trusts them, and
 * small enough that a file is built in moments.
 */
export function structuredFiles(formats: Formats, canaryPath: string): NamedFile[] {
  return [
    ...tinyFiles(formats),
    ...falseWavs(),
    ...falseFlacs(formats),
    ...falseMp3s(formats),
    ...falseMovies(formats),
    ...falseOggs(formats),
    ...polyglots(formats),
    ...disguises(canaryPath),
  ];
}

const UINT32_MAX = 0xffffffff;

function tinyFiles(formats: Formats): NamedFile[] {
  const heads = Object.entries(formats).map(
    ([format, bytes]) => [`only the magic of ${format}`, bytes.subarray(0, 12)] as const,
  );
  return [
    ['nothing', Buffer.alloc(0)],
    ['one zero', Buffer.alloc(1)],
    ['one byte', Buffer.from([0xff])],
    ['a page of zeros', Buffer.alloc(4096)],
    ['a page of 0xff', Buffer.alloc(4096, 0xff)],
    ['a megabyte of 0xff', Buffer.alloc(2 ** 20, 0xff)],
    ['nothing but sync words', Buffer.concat(Array(5000).fill(Buffer.from([0xff, 0xfb, 0x90, 0x00])))],
    ['one sample', wavOf({ samples: Buffer.alloc(2) })],
    ['no samples', wavOf({ samples: Buffer.alloc(0) })],
    ...heads,
  ];
}

function falseWavs(): NamedFile[] {
  const manyChunks = Buffer.concat(Array.from({ length: 10_000 }, () => chunkOf('junk', Buffer.alloc(2))));
  let nested = chunkOf('LIST', Buffer.from('INFO'));
  for (let depth = 0; depth < 500; depth += 1)
    nested = chunkOf('LIST', Buffer.concat([Buffer.from('INFO'), nested]));
  const square = Buffer.alloc(16_000);
  for (let at = 0; at < square.length; at += 2) square.writeInt16LE((at >> 6) & 1 ? 32767 : -32768, at);
  const cases: Record<string, Parameters<typeof wavOf>[0]> = {
    'data is 2^32-1': { dataBytes: UINT32_MAX },
    'data is 0': { dataBytes: 0 },
    'data is odd': { dataBytes: 15_999 },
    'data is 2 GB': { dataBytes: 2 ** 31 },
    'riff is 0': { riffBytes: 0 },
    'riff is 2^32-1': { riffBytes: UINT32_MAX },
    'riff is short': { riffBytes: 20 },
    'no channels': { channelCount: 0 },
    '65535 channels': { channelCount: 65_535 },
    '9 channels': { channelCount: 9 },
    '256 channels': { channelCount: 256 },
    'rate 0': { sampleRateHz: 0 },
    'rate 1': { sampleRateHz: 1 },
    'rate 2^32-1': { sampleRateHz: UINT32_MAX },
    'no bits': { sampleBits: 0 },
    'one bit': { sampleBits: 1 },
    '255 bits': { sampleBits: 255 },
    '64 bits as integers': { sampleBits: 64 },
    'no alignment': { blockAlignBytes: 0 },
    'alignment 65535': { blockAlignBytes: 65_535 },
    'alignment 1': { blockAlignBytes: 1 },
    'format 0': { format: 0 },
    'format 65534 without its extension': { format: 0xfffe },
    'format ADPCM without its tables': { format: 2, sampleBits: 4 },
    'format IMA without its block': { format: 0x11, sampleBits: 4 },
    'format MP3 without frames': { format: 0x55 },
    'RF64 without ds64': { magic: 'RF64', riffBytes: UINT32_MAX, dataBytes: UINT32_MAX },
    'RF64 with a lying ds64': {
      magic: 'RF64',
      riffBytes: UINT32_MAX,
      dataBytes: UINT32_MAX,
      chunks: chunkOf('ds64', Buffer.alloc(28, 0x7f)),
    },
    'RIFX that is little-endian': { magic: 'RIFX' },
    'ten thousand chunks': { chunks: manyChunks },
    'five hundred lists in lists': { chunks: nested },
    'a list of 4 GB': { chunks: chunkOf('LIST', Buffer.from('INFO'), UINT32_MAX - 1) },
    'bext of 4 GB': { chunks: chunkOf('bext', Buffer.alloc(600), UINT32_MAX - 1) },
    'labl of 4 GB': { chunks: chunkOf('labl', Buffer.alloc(4), UINT32_MAX - 1) },
    'a title of a million letters': {
      chunks: chunkOf(
        'LIST',
        Buffer.concat([Buffer.from('INFO'), chunkOf('INAM', Buffer.alloc(1_000_000, 'x'))]),
      ),
    },
    'NaN and infinity': {
      format: 3,
      sampleBits: 32,
      samples: floatSamples(Array(4000).fill([Number.NaN, Infinity, -Infinity, 0]).flat()),
    },
    denormals: { format: 3, sampleBits: 32, samples: floatSamples(Array(8000).fill(1e-45)) },
    'as loud as a float goes': { format: 3, sampleBits: 32, samples: floatSamples(Array(8000).fill(3.4e38)) },
    'direct current': { samples: Buffer.alloc(16_000, 0x7f) },
    'a full-scale square': { samples: square },
    'a whisper of -200 dB': {
      format: 3,
      sampleBits: 32,
      samples: floatSamples(Array.from({ length: 8000 }, (_, n) => 1e-10 * Math.sin(n / 1000))),
    },
  };
  return [
    ...Object.entries(cases).map(([name, fields]) => [`wav: ${name}`, wavOf(fields)] as const),
    [
      'w64: a header and nothing',
      Buffer.concat([Buffer.from('726966662e91cf11a5d628db04c10000', 'hex'), Buffer.alloc(24, 0xff)]),
    ],
  ];
}

function falseFlacs(formats: Formats): NamedFile[] {
  const flac = formats.flac!;
  const picture = Buffer.alloc(40);
  const seekTable = { type: 3, body: Buffer.alloc(18), declaredBytes: 0xffffff };
  return [
    ['flac: a header that says 108 hours', flacOf({ totalSamples: 2n ** 34n })],
    ['flac: 2^36-1 samples', flacOf({ totalSamples: 2n ** 36n - 1n })],
    ['flac: rate 0', flacOf({ sampleRateHz: 0 })],
    ['flac: rate 655350', flacOf({ sampleRateHz: 655_350 })],
    ['flac: blocks of 65535', flacOf({ blockSamples: 65_535 })],
    ['flac: blocks of 0', flacOf({ blockSamples: 0 })],
    ['flac: 4 bits', flacOf({ sampleBits: 4 })],
    ['flac: 32 bits', flacOf({ sampleBits: 32 })],
    ['flac: a seek table of 16 MB that is not there', flacOf({ blocks: [seekTable] })],
    [
      'flac: a picture of 16 MB that is not there',
      flacOf({ blocks: [{ type: 6, body: picture, declaredBytes: 0xffffff }] }),
    ],
    ['flac: a picture of 8 MB', flacOf({ blocks: [{ type: 6, body: Buffer.alloc(8_000_000) }] })],
    [
      'flac: a thousand metadata blocks',
      flacOf({ blocks: Array(1000).fill({ type: 1, body: Buffer.alloc(4) }) }),
    ],
    [
      'flac: reserved metadata types',
      flacOf({
        blocks: [
          { type: 126, body: Buffer.alloc(4) },
          { type: 127, body: Buffer.alloc(4) },
        ],
      }),
    ],
    [
      'flac: comments that lie about their count',
      flacOf({ blocks: [{ type: 4, body: Buffer.from('00000000ffffffff', 'hex') }] }),
    ],
    [
      'flac: the frames of another file',
      Buffer.concat([flacOf({ channelCount: 8, sampleBits: 24 }), flac.subarray(100)]),
    ],
    ['flac: twice', Buffer.concat([flac, flac])],
    [
      'flac: ten minutes of eight silent channels at 192 kHz',
      silentFlac({ sampleRateHz: 192_000, channelCount: 8, seconds: 600 }),
    ],
    ['flac: a day of silence', silentFlac({ sampleRateHz: 44_100, channelCount: 2, seconds: 86_400 })],
  ];
}

/** A frame of 128 kbit/s at 44.1 kHz without the padding byte: 144 · 128,000 / 44,100, rounded down. */
const MP3_FRAME_BYTES = 417;
const MP3_PADDING_BIT = 0x02;

function falseMp3s(formats: Formats): NamedFile[] {
  const mp3 = formats.mp3!;
  const frames = mp3.subarray(mp3.indexOf(Buffer.from([0xff, 0xfb])));
  const text = (id: string, length: number) => ({ id, body: Buffer.alloc(length, 'x') });
  return [
    ['mp3: tags of 256 MB that are not there', Buffer.concat([id3Of([], 0x0fffffff), frames])],
    [
      'mp3: ten thousand tags',
      Buffer.concat([id3Of(Array.from({ length: 10_000 }, () => text('TXXX', 4))), frames]),
    ],
    ['mp3: a title of a million letters', Buffer.concat([id3Of([text('TIT2', 1_000_000)]), frames])],
    ['mp3: a cover of 40 MB', Buffer.concat([id3Of([text('APIC', 40_000_000)]), frames])],
    [
      'mp3: a tag frame longer than its tag',
      Buffer.concat([id3Of([{ ...text('TIT2', 4), declaredBytes: 0x0fffffff }]), frames]),
    ],
    [
      'mp3: tags within tags',
      Buffer.concat([id3Of([{ id: 'TIT2', body: id3Of([text('TIT2', 10)]) }]), frames]),
    ],
    [
      'mp3: a hundred tags in a row',
      Buffer.concat([...Array<Buffer>(100).fill(id3Of([text('TIT2', 4)])), frames]),
    ],
    ['mp3: only tags', id3Of([text('TIT2', 100)])],
    ['mp3: an APE tag that lies', Buffer.concat([frames, Buffer.from('APETAGEX'), Buffer.alloc(24, 0xff)])],
    [
      'mp3: lyrics without an end',
      Buffer.concat([frames, Buffer.from('LYRICSBEGIN'), Buffer.alloc(64, '9')]),
    ],
    ['mp3: a Xing frame that says 2^32 frames', falsifyXing(mp3)],
    ['mp3: free format', changeHeaders(frames, 2, (byte) => byte & 0x0f)],
    [
      'mp3: the rate changes in the middle',
      Buffer.concat([frames, changeHeaders(frames, 2, (byte) => byte | 0x08)]),
    ],
    ['mp3: mono from the middle', Buffer.concat([frames, changeHeaders(frames, 3, (byte) => byte | 0xc0)])],
    [
      'mp3: noise that looks like frames',
      Buffer.concat(
        Array.from({ length: 200 }, (_, n) =>
          Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, n]), Buffer.alloc(MP3_FRAME_BYTES - 4, n * 37)]),
        ),
      ),
    ],
    [
      'aac: frames of length 0',
      Buffer.concat(Array(500).fill(Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x00, 0x1f, 0xfc]))),
    ],
    [
      'aac: noise in frames',
      Buffer.concat(
        Array.from({ length: 100 }, (_, n) =>
          Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x20, 0x1f, 0xfc]), Buffer.alloc(249, n * 73)]),
        ),
      ),
    ],
  ];
}

/** A copy of MP3 frames with one byte of each header changed. */
function changeHeaders(frames: Buffer, offsetBytes: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(frames);
  for (let at = 0; at + 4 <= frames.length; ) {
    copy[at + offsetBytes] = change(frames[at + offsetBytes]!);
    at += MP3_FRAME_BYTES + (frames[at + 2]! & MP3_PADDING_BIT ? 1 : 0);
  }
  return copy;
}

/** LAME writes the name Info instead of Xing into files of constant bit rate. The number of frames is eight bytes behind it. */
function falsifyXing(mp3: Buffer): Buffer {
  return falsify(mp3, 'Info', 8, UINT32_MAX);
}

/** A copy with another number at this offset from the first occurrence of a name. */
function falsify(bytes: Buffer, name: string, offsetBytes: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(name);
  if (at === -1) throw new Error(`there is no ${name} to falsify`);
  copy.writeUInt32BE(value, at + offsetBytes);
  return copy;
}

function falseMovies(formats: Formats): NamedFile[] {
  const m4a = formats.m4a!;
  const moovAt = m4a.indexOf('moov') - 4;
  let deep = boxOf('free', Buffer.alloc(0));
  for (let depth = 0; depth < 1000; depth += 1) deep = boxOf('moov', deep);
  return [
    ['mp4: no moov', m4a.subarray(0, moovAt)],
    ['mp4: only moov', Buffer.concat([movieOf([]), m4a.subarray(moovAt)])],
    ['mp4: moov within moov, a thousand deep', movieOf([deep])],
    ['mp4: a box of size 0 in the middle', movieOf([Buffer.from('00000000', 'hex'), Buffer.from('free')])],
    [
      'mp4: a box of size 1 without its long size',
      movieOf([Buffer.from('00000001', 'hex'), Buffer.from('moov')]),
    ],
    [
      'mp4: a box of 2^63 bytes',
      movieOf([Buffer.from('00000001', 'hex'), Buffer.from('moov'), Buffer.from('7fffffffffffffff', 'hex')]),
    ],
    ['mp4: a box of size 7', movieOf([Buffer.from('00000007', 'hex'), Buffer.from('free')])],
    ['mp4: stsd of size 0', falsify(m4a, 'stsd', -4, 0)],
    ['mp4: stsd with 2^32 entries', falsify(m4a, 'stsd', 8, UINT32_MAX)],
    ['mp4: stsz with 2^32 entries', falsify(m4a, 'stsz', 12, UINT32_MAX)],
    ['mp4: stsz with samples of 2^32', falsify(m4a, 'stsz', 8, UINT32_MAX)],
    ['mp4: stts with 2^32 entries', falsify(m4a, 'stts', 8, UINT32_MAX)],
    ['mp4: stsc with 2^32 entries', falsify(m4a, 'stsc', 8, UINT32_MAX)],
    ['mp4: stco with 2^32 entries', falsify(m4a, 'stco', 8, UINT32_MAX)],
    ['mp4: chunks beyond the file', falsify(m4a, 'stco', 12, UINT32_MAX)],
    ['mp4: no time scale', falsify(m4a, 'mdhd', 16, 0)],
    ['mp4: 2^32 entries of data references', falsify(m4a, 'dref', 8, UINT32_MAX)],
    ['mp4: encrypted', Buffer.from(m4a.toString('latin1').replace('mp4a', 'enca'), 'latin1')],
    ['mp4: protected', Buffer.from(m4a.toString('latin1').replace('mp4a', 'drms'), 'latin1')],
    [
      'mp4: a hundred thousand free boxes',
      movieOf([Buffer.concat(Array(100_000).fill(boxOf('free', Buffer.alloc(0))))]),
    ],
    [
      'asf: an object of size 0',
      Buffer.concat([
        Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'),
        Buffer.alloc(8),
        Buffer.from('01000000', 'hex'),
        Buffer.alloc(64),
      ]),
    ],
  ];
}

/** A Vorbis stream begins with a page that holds its identification header alone: 27 + 1 bytes for the page, 30 for the header. */
const VORBIS_FIRST_PAGE_BYTES = 58;

function falseOggs(formats: Formats): NamedFile[] {
  const { vorbis, opus } = formats as { vorbis: Buffer; opus: Buffer };
  const pages = (count: number, serial: (n: number) => number) =>
    Buffer.concat(
      Array.from({ length: count }, (_, n) =>
        oggPageOf({ serial: serial(n), sequence: n, body: Buffer.alloc(0) }),
      ),
    );
  return [
    ['ogg: granules of -1', withGranules(vorbis, -1n)],
    ['ogg: granules of 2^62', withGranules(opus, 2n ** 62n)],
    ['ogg: granules of 0', withGranules(opus, 0n)],
    [
      'ogg: a hundred thousand empty pages',
      Buffer.concat([vorbis.subarray(0, VORBIS_FIRST_PAGE_BYTES), pages(100_000, () => 1)]),
    ],
    ['ogg: a thousand streams', pages(1000, (n) => n)],
    ['ogg: vorbis, then opus', Buffer.concat([vorbis, opus])],
    ['ogg: opus, then vorbis', Buffer.concat([opus, vorbis])],
    ['ogg: a hundred in a chain', Buffer.concat(Array<Buffer>(100).fill(vorbis))],
    [
      'ogg: packets that never end',
      Buffer.concat(
        Array.from({ length: 2000 }, (_, n) =>
          oggPageOf({ serial: 1, sequence: n, body: Buffer.alloc(255 * 4, 1), isContinued: true }),
        ),
      ),
    ],
    ['ogg: headers without audio', vorbis.subarray(0, vorbis.indexOf('OggS', VORBIS_FIRST_PAGE_BYTES + 1))],
  ];
}

function polyglots(formats: Formats): NamedFile[] {
  const zip = Buffer.from('504b0304140000000800', 'hex');
  const { mp3, wav, flac } = formats as { mp3: Buffer; wav: Buffer; flac: Buffer };
  return [
    ['mp3 with a zip behind', Buffer.concat([mp3, zip, Buffer.alloc(100)])],
    ['zip with an mp3 behind', Buffer.concat([zip, Buffer.alloc(100), mp3])],
    ['wav with a page behind', Buffer.concat([wav, Buffer.from('<script>alert(1)</script>')])],
    ['page with a wav behind', Buffer.concat([Buffer.from('<!doctype html><script>alert(1)</script>'), wav])],
    ['flac with a program behind', Buffer.concat([flac, Buffer.from('#!/bin/sh\nid\n')])],
    ['program with a flac behind', Buffer.concat([Buffer.from('#!/bin/sh\nid\n'), flac])],
    ['pdf with an mp3 behind', Buffer.concat([Buffer.from('%PDF-1.7\n'), mp3])],
    ['a compressed wav', gzipSync(wav)],
    ['a program', Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(500, 1)])],
    ['a picture', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(500)])],
  ];
}

/** Texts that lead other decoders to a file of the host or to the network. */
function disguises(canary: string): NamedFile[] {
  const texts: Record<string, string> = {
    'HLS naming a file': `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://${canary}\n#EXT-X-ENDLIST\n`,
    'HLS naming a path': `#EXTM3U\n#EXTINF:10,\n${canary}\n#EXT-X-ENDLIST\n`,
    'HLS naming a way up': '#EXTM3U\n#EXTINF:10,\n../../canary.wav\n#EXT-X-ENDLIST\n',
    'HLS naming the loopback': '#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n',
    ffconcat: `ffconcat version 1.0\nfile '${canary}'\n`,
    DASH: `<?xml version="1.0"?><MPD><Period><AdaptationSet><Representation><BaseURL>${canary}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    SDP: 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n',
    m3u: `${canary}\n`,
    cue: `FILE "${canary}" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n`,
    xspf: `<playlist xmlns="http://xspf.org/ns/0/"><trackList><track><location>file://${canary}</location></track></trackList></playlist>`,
    SVG: `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${canary}"/></svg>`,
    'an external entity': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file://${canary}">]><a>&x;</a>`,
    'concat:': `concat:${canary}|${canary}`,
    'subfile:': `subfile,,start,0,end,1000,,:${canary}`,
  };
  return Object.entries(texts).map(([name, text]) => [`disguise: ${name}`, Buffer.from(text)] as const);
}
