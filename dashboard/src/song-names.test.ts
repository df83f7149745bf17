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
  ])('is %s', (_, values, title) => {
    expect(songNames({ ...job, ...values }).title).toBe(title);
  });
});
