import { describe, expect, it } from 'vitest';
import { cleanFileName, fileNameOfUrl } from './file-name.ts';

describe('cleanFileName', () => {
  it.each([
    ['song.mp3', 'song.mp3'],
    [' a\u0000b\r\nc.mp3 ', 'abc.mp3'],
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
