/** Scores the genre and the voice of a song, and whether noise is given no genre; and collects the answers for docs/accuracy.md. */

import type { AnalysisResult } from '@earshot/engine';
import { areaUnderCurve, toTenths } from './metrics/voice.ts';
import type { SongAnswers } from './score-file.ts';
import type { Scores, Truth } from './score-song.ts';

/** The engine's words for genres that the corpus spells differently. */
const GENRE_WORDS: Record<string, string> = { hiphop: 'hip-hop' };
const AMONG_MAX = 3;

export function toGenreWord(genre: string): string {
  return GENRE_WORDS[genre] ?? genre;
}

/** Strict: only the corpus's own word is right, and a clip that is given no genre counts as wrong. */
export function scoreGenreAndVoice(truth: Truth, { tags, content }: AnalysisResult): Scores {
  const scores: Scores = {};
  const named = (tags?.genres ?? []).map(({ label }) => label);
  if (truth.genre) {
    const word = toGenreWord(truth.genre);
    scores.genre_first = Number(named[0] === word);
    scores.genre_among_three = Number(named.slice(0, AMONG_MAX).includes(word));
  }
  if (truth.music === false) scores.no_genre = Number(named.length === 0);
  if (truth.sung && content?.voiceCurve && content.voicePresence !== null) {
    // A tenth of a second without a value counts as one without a voice.
    const values = content.voiceCurve.values.map((value) => value ?? 0);
    const tenths = toTenths(truth.sung, values.length);
    const area = areaUnderCurve(values, tenths);
    if (area !== null) scores.voice_auc = area;
    scores.voice_share_off = Math.abs(shareOf(tenths) - content.voicePresence);
  }
  return scores;
}

export function toGenreAndVoiceAnswers(
  truth: Truth,
  { tags, content }: AnalysisResult,
): Pick<SongAnswers, 'genre' | 'voice' | 'voiceShare' | 'recording'> {
  const answers: ReturnType<typeof toGenreAndVoiceAnswers> = {};
  const voiceShare = content?.voicePresence ?? null;
  if (truth.genre || truth.music === false) {
    const { label = null, confidence = null } = tags?.genres[0] ?? {};
    answers.genre = { truth: truth.genre ? toGenreWord(truth.genre) : null, genre: label, confidence };
  }
  if (truth.render || truth.genre) answers.voiceShare = voiceShare;
  if (truth.recording) answers.recording = { name: truth.recording, voiceShare };
  if (truth.sung) {
    const count = content?.voiceCurve?.values.length ?? Math.round(truth.duration * 10);
    answers.voice = { truthShare: shareOf(toTenths(truth.sung, count)), share: voiceShare };
  }
  return answers;
}

function shareOf(tenths: readonly boolean[]): number {
  return tenths.filter(Boolean).length / tenths.length;
}
