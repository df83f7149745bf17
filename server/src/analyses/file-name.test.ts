import { describe, expect, it } from 'vitest';
import { cleanFileName, fileNameOfForm, fileNameOfUrl, withoutExtension } from './file-name.ts';

describe('cleanFileName', () => {
  it.each([
    ['song.mp3', 'song.mp3'],
    [' a\u0000b\r\nc.mp3 ', 'abc.mp3'],
    // The replacement character stands for bytes that are not UTF-8.
    ['a\u007fb\ufffdc.mp3', 'abc.mp3'],
    ['../../etc/passwd', '../../etc/passwd'],
    ['', null],
    ['\u0007', null],
    [undefined, null],
  ])('%j becomes %j', (name, expected) => {
    expect(cleanFileName(name)).toBe(expected);
  });

  it('is at most 255 characters', () => {
    expect(cleanFileName('x'.repeat(4000))).toHaveLength(255);
  });

  it('is not cut inside a surrogate pair', () => {
    expect(cleanFileName(`${'x'.repeat(254)}🎵.mp3`)).toBe('x'.repeat(254));
  });
});

describe('fileNameOfForm', () => {
  it.each([
    ['Blue Monday (12%22 Mix).mp3', 'Blue Monday (12" Mix).mp3'],
    ['two%0D%0Alines.mp3', 'twolines.mp3'],
    // Browsers and curl escape nothing else.
    ['100%25 pure%20.mp3', '100%25 pure%20.mp3'],
    [undefined, null],
  ])('%j becomes %j', (name, expected) => {
    expect(fileNameOfForm(name)).toBe(expected);
  });
});

describe('withoutExtension', () => {
  it.each([
    ['Blue Hour.flac', 'Blue Hour'],
    ['Vol. 2.mp3', 'Vol. 2'],
    ['No. 5 (live)', 'No. 5 (live)'],
    ['.wav', null],
    [null, null],
  ])('%j becomes %j', (name, expected) => {
    expect(withoutExtension(name)).toBe(expected);
  });
});

describe('fileNameOfUrl', () => {
  it.each([
    ['https://example.com/music/F%C3%BCr%20Elise.mp3?token=secret#t=3', 'Für Elise.mp3'],
    ['https://example.com/music/%FF.mp3', '%FF.mp3'],
    ['https://example.com/', null],
    ['https://example.com', null],
  ])('%s', (url, expected) => {
    expect(fileNameOfUrl(url)).toBe(expected);
  });
});
