import type { ResultDocument } from '@earshot/exports';
import { describe, expect, it } from 'vitest';
import { extractFeatures, featureTermsOf, NO_DESCRIPTION, nameSong, termOf } from './song.ts';
import { heardInstruments, makeDocument } from './test-songs.ts';

it('is sorted by the first hundred code units of its names, without splitting a character', () => {
  // Three words with their spaces are 99: the hundredth would be the first half of the last character.
  const words = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
  const title = `${words.join(' ')} 𠀀`;
  const file = { fileName: null, title, artist: title, album: null };
  const { titleKey, artistKey } = nameSong(file, NO_DESCRIPTION, []);
  expect([titleKey, artistKey]).toEqual([`${words.join(' ')} `, `${words.join(' ')} `]);
});

it.each([
  ['Boom Boom Pow', 'boom boom pow'],
  ['Bye Bye Bye', 'bye bye bye'],
  ["Don't Stop, don’t!", 'dont stop dont'],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['÷', '÷'],
  ['?!…', '?!...'],
  [' \u0301 ', null],
])('%j is sorted as %j, and its artist too', (name, key) => {
  const file = { fileName: null, title: name, artist: name, album: null };
  const { titleKey, artistKey } = nameSong(file, NO_DESCRIPTION, []);
  expect([titleKey, artistKey]).toEqual([key, key]);
});

it('distinguishes tags that differ by a repeated word', () => {
  expect([termOf('tag', 'Bye'), termOf('tag', 'Bye-bye')]).toEqual(['tag:bye', 'tag:bye bye']);
});

it('truncates an overlong genre from a file', () => {
  // Unicode decomposes this character into 18.
  expect(termOf('genre', '\ufdfa'.repeat(500))).toHaveLength('genre:'.length + 100);
});

it('prefers what the user wrote to the tags of the file, and those to its name', () => {
  const file = { fileName: 'Track 7.flac', title: null, artist: 'From file', album: 'From file' };
  const named = nameSong(file, { ...NO_DESCRIPTION, album: 'Written' }, []);
  expect(named).toMatchObject({ title: 'Track 7', artist: 'From file', album: 'Written' });
});

it('limits the terms to 120, dropping the last words of the note', () => {
  const note = Array.from({ length: 200 }, (_, n) => `${1000 + n}`).join(' ');
  const file = { fileName: null, title: 'abc', artist: null, album: null };
  const { terms } = nameSong(file, { ...NO_DESCRIPTION, tags: ['opener'], note }, ['genre:house']);
  const words = ['w:abc', 'w:opener', ...Array.from({ length: 116 }, (_, n) => `w:${1000 + n}`)];
  expect(terms.filter((term) => !term.startsWith('p:'))).toEqual(['genre:house', 'tag:opener', ...words]);
  expect(terms.filter((term) => term.startsWith('p:'))).toEqual([
    'p:a',
    'p:ab',
    'p:o',
    'p:op',
    'p:1',
    'p:10',
    'p:11',
  ]);
});

it('keeps the terms of the result when names change', () => {
  expect(featureTermsOf(['genre:house', 'mood:dark', 'instrument:piano', 'tag:x', 'w:x', 'p:x'])).toEqual([
    'genre:house',
    'mood:dark',
    'instrument:piano',
  ]);
});

it.each([
  [undefined, null],
  [0.29, false],
  [0.3, true],
])('with voice in %s of the song, is vocal: %s', (voicePresence, voice) => {
  expect(extractFeatures(makeDocument(voicePresence === undefined ? {} : { voicePresence })).voice).toBe(
    voice,
  );
});

it('takes genre, mood and instruments from the result, the genre of the file first', () => {
  const extra = { genre_suggestions: ['Techno'], mood_tags: ['dark'], tags: heardInstruments('piano') };
  const features = extractFeatures(makeDocument({ genre: 'House', extra }));
  expect(features).toMatchObject({ genre: 'House', mood: 'dark' });
  expect(features.terms).toEqual(['genre:house', 'genre:techno', 'mood:dark', 'instrument:piano']);
});

describe('the waveform', () => {
  type Levels = NonNullable<ResultDocument['waveform']>['levels'];
  /** Pixel n of the first channel swings from -n to n, that of the second from -2n to n, both times `scale`. */
  const level = (length: number, channels: number, scale = 1): Levels[number] => ({
    version: 2,
    channels,
    sample_rate: 44_100,
    samples_per_pixel: 256,
    bits: 8,
    length,
    data: Array.from({ length }, (_, n) =>
      Array.from({ length: channels }, (_, channel) => [-(channel + 1) * n * scale, n * scale]),
    ).flat(2),
  });
  const waveformOf = (...levels: Levels) =>
    extractFeatures(makeDocument({ extra: { waveform: { levels } } })).waveform;

  it('is drawn from the coarsest level with at least 120 points', () => {
    // Of 240 pixels two make a point, whose peak is the second; doubled from 7 bits to 8 and limited to 255.
    const expected = Array.from({ length: 120 }, (_, point) => Math.min(255, 2 * (2 * point + 1)));
    expect([...waveformOf(level(480, 1), level(240, 1), level(119, 1))!]).toEqual(expected);
  });

  it('takes the loudest channel', () => {
    const expected = Array.from({ length: 120 }, (_, point) => Math.min(255, 2 * 2 * point));
    expect([...waveformOf(level(120, 2))!]).toEqual(expected);
  });

  it('repeats the pixels of a short song', () => {
    expect([...waveformOf(level(2, 1, 10))!]).toEqual([...Array(60).fill(0), ...Array(60).fill(20)]);
  });

  it('is null without the waveform group', () => {
    expect(waveformOf()).toBeNull();
    expect(extractFeatures(makeDocument({ extra: { waveform: null } })).waveform).toBeNull();
  });
});
