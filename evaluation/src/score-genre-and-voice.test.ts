import type { AnalysisResult } from '@earshot/engine';
import { describe, expect, it } from 'vitest';
import { scoreGenreAndVoice, toGenreAndVoiceAnswers } from './score-genre-and-voice.ts';
import type { Truth } from './score-song.ts';

const SONG: Truth = { id: 'song', audio: 'song.wav', duration: 0.4 };
const tagged = (...labels: string[]) =>
  ({
    tags: { genres: labels.map((label) => ({ label, confidence: 0.5 })) },
    content: null,
  }) as unknown as AnalysisResult;
/** Four tenths of a second, half of which have a voice according to the result itself. */
const VOICED = {
  tags: null,
  content: { voiceCurve: { values: [0.9, 0.2, 0.6, 0.1] }, voicePresence: 0.5 },
} as unknown as AnalysisResult;

describe('genre', () => {
  it("is right when the corpus's own word is first, or among the first three", () => {
    const truth = { ...SONG, genre: 'hiphop' };
    expect(scoreGenreAndVoice(truth, tagged('hip-hop', 'pop'))).toEqual({
      genre_first: 1,
      genre_among_three: 1,
    });
    expect(scoreGenreAndVoice(truth, tagged('pop', 'rock', 'hip-hop'))).toEqual({
      genre_first: 0,
      genre_among_three: 1,
    });
    expect(scoreGenreAndVoice(truth, tagged('pop', 'rock', 'jazz', 'hip-hop'))).toEqual({
      genre_first: 0,
      genre_among_three: 0,
    });
    expect(scoreGenreAndVoice(truth, tagged())).toEqual({ genre_first: 0, genre_among_three: 0 });
  });

  it('is wrong for noise', () => {
    expect(scoreGenreAndVoice({ ...SONG, music: false }, tagged())).toEqual({ no_genre: 1 });
    expect(scoreGenreAndVoice({ ...SONG, music: false }, tagged('jazz'))).toEqual({ no_genre: 0 });
    expect(scoreGenreAndVoice(SONG, tagged('jazz'))).toEqual({});
  });
});

describe('voice', () => {
  const sung: [number, number][] = [[0, 0.1]];

  it('is scored by tenths of a second and by its share', () => {
    // The sung tenth has the highest value of the four. The answer is a half, the truth a quarter.
    expect(scoreGenreAndVoice({ ...SONG, sung }, VOICED)).toEqual({ voice_auc: 1, voice_share_off: 0.25 });
    expect(scoreGenreAndVoice({ ...SONG, sung }, tagged())).toEqual({});
  });

  it('is absent from tenths without a value', () => {
    const content = { voiceCurve: { values: [null, 0.1] }, voicePresence: 0 };
    const withheld = { tags: null, content } as unknown as AnalysisResult;
    expect(scoreGenreAndVoice({ ...SONG, sung }, withheld)).toEqual({ voice_auc: 0, voice_share_off: 0.5 });
  });

  it('has a true share where there is no answer', () => {
    expect(toGenreAndVoiceAnswers({ ...SONG, sung }, tagged())).toEqual({
      voice: { truthShare: 0.25, share: null },
    });
  });

  it('is reported for sung spans, renderings, genres and recordings in several files, and a genre for noise', () => {
    expect(toGenreAndVoiceAnswers({ ...SONG, sung }, VOICED)).toEqual({
      voice: { truthShare: 0.25, share: 0.5 },
    });
    expect(toGenreAndVoiceAnswers({ ...SONG, render: {} }, VOICED)).toEqual({ voiceShare: 0.5 });
    expect(toGenreAndVoiceAnswers({ ...SONG, genre: 'hiphop' }, VOICED)).toEqual({
      genre: { truth: 'hip-hop', genre: null, confidence: null },
      voiceShare: 0.5,
    });
    expect(toGenreAndVoiceAnswers({ ...SONG, recording: 'a' }, VOICED)).toEqual({
      recording: { name: 'a', voiceShare: 0.5 },
    });
    expect(toGenreAndVoiceAnswers({ ...SONG, music: false }, tagged('jazz'))).toEqual({
      genre: { truth: null, genre: 'jazz', confidence: 0.5 },
    });
  });
});
