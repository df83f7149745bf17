import { describe, expect, it } from 'vitest';
import { wavBytes } from '../../scripts/wav-bytes.mjs';
import { id3v2Bytes, SNIFF_BYTES, sniffFormat } from './sniff-format.ts';
import { fixtureBytes } from './test/fixture-audio.ts';

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('audio', () => {
  it.each([
    ['lame.mp3', 'mpeg'],
    ['no-info.mp3', 'mpeg'],
    ['tone.mp2', 'mpeg'],
    ['vorbis.ogg', 'ogg'],
    ['flac16.flac', 'flac'],
    ['aac-moov-last.m4a', 'mp4'],
    ['adts.aac', 'adts'],
    ['opus.webm', 'matroska'],
    ['alac.caf', 'caf'],
    ['wavpack.wv', 'wavpack'],
    ['tta.tta', 'tta'],
    ['wma.wma', 'asf'],
    ['tone.ac3', 'ac3'],
    ['tone.dts', 'dts'],
  ])('%s is %s', (name, container) => {
    expect(sniffFormat(fixtureBytes(name).subarray(0, SNIFF_BYTES))).toEqual({ kind: 'audio', container });
  });

  it.each([
    ['a WAV file', wavBytes(new Int16Array(10), { sampleRateHz: 8000 }), 'wav'],
    ['RF64', ascii('RF64\xff\xff\xff\xffWAVEds64'), 'wav'],
    ['Wave64', ascii('riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb'), 'wav'],
    ['AIFF-C', ascii('FORM\x00\x00\x00\x20AIFCFVER'), 'aiff'],
    ['AU', ascii('.snd\x00\x00\x00\x18'), 'au'],
    ['QuickTime without ftyp', ascii('\x00\x00\x00\x08wide\x00\x00\x00\x10mdat'), 'mp4'],
    ['QuickTime whose first box has 17 MB', ascii('\x00\xff\x10\x00mdat'), 'mp4'],
    ['an MPEG packet longer than the head', Uint8Array.of(0xff, 0xfb, 0x90, 0x64, 9), 'mpeg'],
    ['an ADTS packet longer than the head', Uint8Array.of(0xff, 0xf1, 0x50, 0x80, 0x0c, 9), 'adts'],
    // A cover of a megabyte hides the audio, which is nearly always an MP3.
    ['an ID3 tag longer than the head', ascii('ID3\x03\x00\x00\x00\x3f\x00\x00APIC'), 'mpeg'],
  ])('%s', (_, bytes, container) => {
    expect(sniffFormat(bytes)).toEqual({ kind: 'audio', container });
  });

  it.each([
    ['big-endian', '\x7f\xfe\x80\x01'],
    ['little-endian', '\xfe\x7f\x01\x80'],
    ['big-endian, in words of 14 bits', '\x1f\xff\xe8\x00'],
    ['little-endian, in words of 14 bits', '\xff\x1f\x00\xe8'],
  ])('DTS, %s', (_, sync) => {
    expect(sniffFormat(ascii(sync))).toEqual({ kind: 'audio', container: 'dts' });
  });

  it('skips zero padding before the first MP3 packet', () => {
    const padded = new Uint8Array(3000);
    padded.set(fixtureBytes('no-info.mp3').subarray(0, 2000), 1000);
    expect(sniffFormat(padded)).toEqual({ kind: 'audio', container: 'mpeg' });
  });
});

describe('the length of an ID3v2 tag', () => {
  it.each([
    ['has seven bits per byte', 'ID3\x04\0\0\x01\x02\x03\x04', 10 + 2 ** 21 + 2 * 2 ** 14 + 3 * 2 ** 7 + 4],
    ['includes its footer', 'ID3\x04\0\x10\0\0\0\x05', 10 + 5 + 10],
    ['is null without a tag', 'ID4\x04\0\0\0\0\0\x05', null],
    ['is null for a header that is cut', 'ID3\x04\0\0\0\0\0', null],
  ])('%s', (_, header, tagBytes) => {
    expect(id3v2Bytes(ascii(header))).toBe(tagBytes);
  });
});

describe('a file that is not audio', () => {
  it.each([
    ['#EXTM3U\n#EXT-X-TARGETDURATION:3\nhttp://a/b.ts', /HLS playlist/],
    ['#EXTM3U\nsong.mp3', /M3U playlist/],
    ['[playlist]\nFile1=x.mp3', /PLS playlist/],
    ['\xef\xbb\xbf[playlist]\nFile1=x.mp3', /PLS playlist/],
    [' \n#EXTM3U\nsong.mp3', /M3U playlist/],
    ['ffconcat version 1.0\nfile ../private.mp3', /ffconcat/],
    ['REM DATE 1999\nFILE "a.wav" WAVE', /cue sheet/],
    ['<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/">', /XSPF/],
    ['<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash">', /DASH/],
    ['v=0\r\no=- 0 0 IN IP4 127.0.0.1', /SDP/],
    ['<!DOCTYPE html><title>404</title>', /web page/],
    ['<svg xmlns="http://www.w3.org/2000/svg">', /image/],
    ['{"error": "not found"}', /JSON/],
    ['https://example.com/song.mp3', /links/],
    ['Dear listener, this is a letter.', /text file/],
    ['PK\x03\x04\x14\x00', /ZIP/],
    ['%PDF-1.7', /PDF/],
    ['\x89PNG\r\n\x1a\n', /image/],
    ['\x00\x00\x00\x18ftypheic', /image/],
    ['RIFF\x00\x00\x00\x00AVI LIST', /AVI video/],
    ['MThd\x00\x00\x00\x06', /MIDI/],
    ['MAC \x96\x0f', /Monkey's Audio/],
    ['\x7fELF\x02\x01', /program/],
    ['MZ\x90\0\x03', /program/],
    ['SQLite format 3\0', /database/],
    ['PK\x05\x06\0\0', /ZIP/],
    ['\x1f\x8b\x08\0', /gzip/],
    ['Rar!\x1a\x07\x01', /RAR/],
    ['7z\xbc\xaf\x27\x1c\0\x04', /7-Zip/],
    ['BZh91AY&SY', /bzip2/],
    ['\xfd7zXZ\0', /xz archive/],
    ['\x28\xb5\x2f\xfd\x04', /Zstandard/],
    ['GIF89a\x01\0', /image/],
    ['\xff\xd8\xff\xe0\0\x10JFIF', /image/],
    ['RIFF\x24\0\0\0WEBPVP8 ', /image/],
    ['RIFF\x24\0\0\0RMIDdata', /MIDI/],
    ['RIFF\x24\0\0\0ACONanih', /RIFF file without sound/],
    ['MPCKSH', /Musepack/],
    ['MP+\x07', /Musepack/],
    ['#!AMR-WB\n', /AMR/],
    ['DSD \x1c\0\0\0', /DSD/],
    ['FRM8\0\0\0\0', /DSD/],
    ['qoaf\0\0', /QOA/],
    ['.ra\xfd\0\x04', /RealAudio/],
    ['.RMF\0\0\0\x12', /RealMedia/],
    ['OFR \x0f\0', /OptimFROG/],
    ['ajkg\x02\xfb', /Shorten/],
    ['Extended Module: song', /tracker module/],
    ['IMPMsong\0', /tracker module/],
    ['FLV\x01\x04\0', /Flash video/],
    ['\0\0\x01\xba\x44', /MPEG program stream/],
    ['<asx version="3.0">', /ASX/],
    ['<smil><body><audio/></body></smil>', /SMIL/],
    ['<?xml version="1.0"?><note/>', /XML/],
  ])('%j', (content, name) => {
    expect(sniffFormat(ascii(content))).toMatchObject({ kind: 'refused', name: expect.stringMatching(name) });
  });

  it.each([
    ['a transport stream', `\x47${'\0'.repeat(187)}`.repeat(3), /MPEG transport stream/],
    [
      'a transport stream of a camcorder',
      `\0\0\x01\x2c\x47${'\0'.repeat(187)}`.repeat(3),
      /MPEG transport stream/,
    ],
    ['AAC of a broadcast', '\x56\xe0\x04\0\0\0\0'.repeat(2), /LATM/],
    ['a module of Scream Tracker', `${'\0'.repeat(44)}SCRM`, /tracker module/],
    ['a tar archive', `song.mp3${'\0'.repeat(249)}ustar`, /tar archive/],
    ['a module of eight channels', `song${'\0'.repeat(1076)}8CHN`, /tracker module/],
  ])('%s is refused by name', (_, content, name) => {
    expect(sniffFormat(ascii(content))).toMatchObject({ kind: 'refused', name: expect.stringMatching(name) });
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['one byte', new Uint8Array(1)],
    ['zeros', new Uint8Array(SNIFF_BYTES)],
    ['0xFF', new Uint8Array(SNIFF_BYTES).fill(0xff)],
    ['noise', Uint8Array.from({ length: SNIFF_BYTES }, (_, i) => (i * i * 31 + i * 7 + 200) % 256)],
    [
      'a single MPEG header without a second',
      Uint8Array.from([0xff, 0xfb, 0x90, 0x64, ...new Array(4000).fill(9)]),
    ],
    [
      'a single ADTS header, of a packet of 96 bytes, without a second',
      Uint8Array.from([0xff, 0xf1, 0x50, 0x80, 0x0c, ...new Array(4000).fill(9)]),
    ],
    ['an ADTS header of a packet shorter than it', Uint8Array.of(0xff, 0xf1, 0xff, 0xf0, 0, 0x40, 0)],
  ])('%s gives no hint', (_, bytes) => {
    expect(sniffFormat(bytes)).toBeNull();
  });
});
