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

/** A file whose songs have these scores, each with its answers. */
function scored(
  corpus: string,
  songs: ScoreFile['songs'],
  answers: Record<string, Partial<SongAnswers>>,
): ScoreFile {
  const file = makeFile(corpus, {});
  const unanswered: SongAnswers = {
    tempo: { truthBpm: null, bpm: null, confidence: null },
    key: { truth: null, key: null, confidence: null, tuningHz: null },
  };
  const full = Object.entries(answers).map(([id, answer]) => [id, { ...unanswered, ...answer }]);
  return { ...file, songs, answers: Object.fromEntries(full) };
}

it('compares the share of voice of each sung song with the truth', () => {
  const file = scored(
    'voice',
    { a: { voice_auc: 0.75, voice_share_off: 0.1, section_voice: 0.5 }, b: { voice_auc: 0.25 } },
    { a: { voice: { truthShare: 0.4, share: 0.5 } }, b: { voice: { truthShare: 0, share: null } } },
  );
  const text = formatGenreAndVoice([file], 'image.svg');
  expect(text).toContain('### Voice, on 2 songs');
  expect(text).toContain('area under the curve .500 (');
  expect(text).toContain('| a | .750 | .400 | .500 |');
  expect(text).toContain('| b | .250 | .000 | – |');
});

it('names the noises that were called a genre, and counts those with a tempo or a key', () => {
  const ticking = { tempo: { truthBpm: null, bpm: 60, confidence: 0.1 } };
  const file = scored(
    'noise',
    { rain: { no_genre: 1 }, clock: { no_genre: 1 }, bell: { no_genre: 0 } },
    {
      rain: {},
      clock: ticking,
      bell: { ...ticking, genre: { truth: null, genre: 'jazz', confidence: 0.5 } },
    },
  );
  const text = formatGenreAndVoice([file], 'image.svg');
  expect(text).toContain('Called a genre: 1 (bell (jazz)). A tempo is given for 2 and a key for 0;');
  const quiet = { ...file, songs: { rain: { no_genre: 1 } } };
  expect(formatGenreAndVoice([quiet], 'image.svg')).toContain('None is called a genre.');
});

it('gives the spread of the share of voice among the files of each recording', () => {
  const file: ScoreFile = {
    ...scored(
      'encodings',
      {},
      {
        ...{
          a1: { recording: { name: 'a', voiceShare: 0.2 } },
          a2: { recording: { name: 'a', voiceShare: 0.3 } },
        },
        ...{
          b1: { recording: { name: 'b', voiceShare: 0.5 } },
          b2: { recording: { name: 'b', voiceShare: 0.8 } },
        },
        b3: { recording: { name: 'b', voiceShare: null } },
      },
    ),
    neighbours: { of: 'recording', count: 5, alike: 0.6 },
  };
  const text = formatGenreAndVoice([file], 'image.svg');
  expect(text).toContain('on 5 files of `encodings`');
  expect(text).toContain('another of the same recording for .600');
  // Spreads of 0.1 and 0.3.
  expect(text).toContain('within .200 from the least');
  expect(text).toContain('within .300 at most (b)');
});

it('lists the share of voice by genre, or by corpus without genres, and names songs where it is unexpected', () => {
  const rendered = makeFile('dev', { a: 0, b: 0.3, c: null, d: 0.25 });
  const clips = { ...makeFile('gtzan', { 'pop.1': 0.8 }), genres: { 'pop.1': 'pop' } };
  const sung = scored('voice', {}, { e: { voice: { truthShare: 0.4, share: 0.5 } } });
  const text = formatGenreAndVoice([rendered, clips, sung, makeFile('synth', { f: 0 })], 'image.svg');
  expect(text).toMatch(/\| `dev`, rendered from notes \(4\) \| \.138 \(\S+\) \| \.300 \| 1: b \|/);
  expect(text).toContain('| `synth`, rendered from notes (1) | .000 (.000–.000) | .000 | 0 |');
  expect(text).not.toContain('`voice`, rendered');
  expect(formatGenreAndVoice([sung], 'image.svg')).toBe('');
  // In a genre that is mostly sung no song is named.
  expect(text).toContain('| pop (1) | .800 (.800–.800) | .800 | 1 |');
});

it('is empty for a corpus without answers, and for the engine without networks', () => {
  expect(formatGenreAndVoice([makeFile('real', {})], 'image.svg')).toBe('');
  expect(formatGenreAndVoice([{ ...makeFile('dev', { a: 0 }), ears: 'classical' }], 'image.svg')).toBe('');
});

it('scores the clips of each genre by themselves', () => {
  const file: ScoreFile = {
    ...makeFile('gtzan', {}),
    songs: {
      'rock.1': { genre_first: 1, genre_among_three: 1 },
      'jazz.1': { genre_first: 0, genre_among_three: 1 },
    },
    genres: { 'rock.1': 'rock', 'jazz.1': 'jazz' },
    neighbours: { of: 'genre', count: 2, alike: 0.5 },
  };
  const lines = formatGenreAndVoice([file], 'image.svg').split('\n');
  expect(lines.filter((line) => line.includes('.000 ('))).toEqual([
    '| **all** | .500 (.000–1.000) | 1.000 (1.000–1.000) |',
    '| jazz (1) | .000 (.000–.000) | 1.000 (1.000–1.000) |',
    '| rock (1) | 1.000 (1.000–1.000) | 1.000 (1.000–1.000) |',
  ]);
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
