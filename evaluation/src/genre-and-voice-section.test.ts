import { expect, it } from 'vitest';
import { formatGenreAndVoice } from './genre-and-voice-section.ts';
import type { ScoreFile, SongAnswers } from './score-file.ts';

function makeFile(corpus: string, shares: Record<string, number | null>): ScoreFile {
  const answer = (voiceShare: number | null): SongAnswers => ({
    tempo: { truthBpm: null, bpm: null, confidence: null },
    key: { truth: null, key: null, confidence: null, tuningHz: null },
    voiceShare,
  });
  const answers = Object.fromEntries(Object.entries(shares).map(([id, share]) => [id, answer(share)]));
  return { corpus, ears: 'learned', models: [], means: [], calibration: {}, songs: {}, answers };
}

it('lists the share of voice by genre, or of a corpus without genres, and names songs where it is unexpected', () => {
  const rendered = makeFile('dev', { a: 0, b: 0.3, c: null });
  const clips = { ...makeFile('gtzan', { 'pop.1': 0.8 }), genres: { 'pop.1': 'pop' } };
  const text = formatGenreAndVoice([rendered, clips], 'image.svg');
  expect(text).toMatch(/\| `dev`, rendered from notes \(3\) \| \.100 \(\S+\) \| \.300 \| 1: b \|/);
  // In a genre that is mostly sung no song is named.
  expect(text).toContain('| pop (1) | .800 (.800–.800) | .800 | 1 |');
});

it('is empty for a corpus without answers', () => {
  expect(formatGenreAndVoice([{ ...makeFile('real', {}), answers: {} }], 'image.svg')).toBe('');
});

it('has no calibration error where no genre was claimed', () => {
  const file: ScoreFile = {
    ...makeFile('gtzan', {}),
    songs: { 'pop.1': { genre_first: 0, genre_among_three: 0 } },
    genres: { 'pop.1': 'pop' },
    neighbours: { of: 'genre', count: 1, alike: 0 },
  };
  expect(formatGenreAndVoice([file], 'image.svg')).toContain("first genre's confidence: – (n=0)");
});
