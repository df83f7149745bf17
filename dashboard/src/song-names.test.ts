import { describe, expect, it } from 'vitest';
import { songNames } from './song-names.ts';

const job = { id: 'job_1', file_name: null, source_url: '', metadata: {}, headline: null };

describe('the name of a song', () => {
  it.each([
    ['its tag', { headline: { title: 'Blue', artist: 'Joni' }, file_name: 'x.mp3' }, 'Blue'],
    ['its file', { file_name: 'My Song.flac' }, 'My Song'],
    ['the end of its address', { source_url: 'https://a.example/b/My%20Song.mp3?sig=1' }, 'My Song'],
    ['an address that is no UTF-8', { source_url: 'https://a.example/%E0%A4%A.mp3' }, '%E0%A4%A'],
    ['its id', {}, 'job_1'],
    [
      'its id, when the tag and the address are empty',
      { headline: { title: '', artist: null }, source_url: 'https://a.example/' },
      'job_1',
    ],
    ['what somebody called its file', { metadata: { file_name: 'Take 2.wav' } }, 'Take 2'],
    ['the file, with dots that are no ending', { file_name: 'Vol. 2.final mix' }, 'Vol. 2.final mix'],
    ['the file, when an ending stands inside', { file_name: 'a.mp3 (live).flac' }, 'a.mp3 (live)'],
    ['the address before its fragment', { source_url: 'https://a.example/b.mp3#t=10' }, 'b'],
  ])('is %s', (_, values, title) => {
    expect(songNames({ ...job, ...values }).title).toBe(title);
  });

  it('comes with the artist, where there is one', () => {
    expect(songNames({ ...job, headline: { title: 'Blue', artist: 'Joni' } }).artist).toBe('Joni');
    expect(songNames({ ...job, headline: { title: 'Blue', artist: '' } }).artist).toBeNull();
    expect(songNames(job).artist).toBeNull();
  });
});
