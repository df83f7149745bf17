import { describe, expect, it } from 'vitest';
import { songNames } from './song-names.ts';

const job = { id: 'job_1', file_name: null, source_url: '', metadata: {}, headline: null };

describe('the title of a song', () => {
  it.each([
    ['its tag', { headline: { title: 'Blue', artist: 'Joni' }, file_name: 'x.mp3' }, 'Blue'],
    ['its file', { file_name: 'My Song.flac' }, 'My Song'],
    ['the last part of its URL', { source_url: 'https://a.example/b/My%20Song.mp3?sig=1' }, 'My Song'],
    [
      'a URL part that is not valid UTF-8, undecoded',
      { source_url: 'https://a.example/%E0%A4%A.mp3' },
      '%E0%A4%A',
    ],
    [
      'its file, whatever else has a name',
      { file_name: 'a.wav', metadata: { file_name: 'b.wav' }, source_url: 'https://a.example/c.wav' },
      'a',
    ],
    [
      'the file name it was submitted with, rather than its URL',
      { metadata: { file_name: 'b.wav' }, source_url: 'https://a.example/c.wav' },
      'b',
    ],
    ['its id', {}, 'job_1'],
    [
      'its id, when the tag and the URL path are empty',
      { headline: { title: '', artist: null }, source_url: 'https://a.example/' },
      'job_1',
    ],
    [
      'the file name, with a dot that begins no extension',
      { file_name: 'Vol. 2.final mix' },
      'Vol. 2.final mix',
    ],
    ['the file name, with a dot before a single character', { file_name: 'Sonata No.9' }, 'Sonata No.9'],
    [
      'the file name, with an extension only in the middle',
      { file_name: 'a.mp3 (live).flac' },
      'a.mp3 (live)',
    ],
    ['the URL without its fragment', { source_url: 'https://a.example/b.mp3#t=10' }, 'b'],
  ])('is %s', (_, values, title) => {
    expect(songNames({ ...job, ...values }).title).toBe(title);
  });

  it('has the artist beside it, or null', () => {
    expect(songNames({ ...job, headline: { title: 'Blue', artist: 'Joni' } }).artist).toBe('Joni');
    expect(songNames({ ...job, headline: { title: 'Blue', artist: '' } }).artist).toBeNull();
    expect(songNames(job).artist).toBeNull();
  });
});
