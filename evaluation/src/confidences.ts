/** Every answer of a song that has a confidence, and whether it was right: calibration is measured on these. */

import type { AnalysisResult } from '@earshot/engine';
import type { Answer } from './metrics/calibration.ts';
import { BEAT_TOLERANCE_SECONDS } from './metrics/events.ts';
import { keyScore, parseKey } from './metrics/key.ts';
import { tempoAccuracy1 } from './metrics/tempo.ts';
import { toGenreWord } from './score-genre-and-voice.ts';
import type { Truth } from './score-song.ts';

export const CONFIDENCE_KINDS = ['tempo', 'key', 'beats', 'downbeats', 'genre'] as const;
export type ConfidenceKind = (typeof CONFIDENCE_KINDS)[number];
export type RatedAnswers = Record<ConfidenceKind, Answer[]>;

/** Half a beat at 120 BPM. Events further outside the annotated span can be neither right nor wrong. */
const MARGIN_SECONDS = 0.25;

export function collectAnswers(truth: Truth, result: AnalysisResult): RatedAnswers {
  const { rhythm, tonal } = result;
  const answers: RatedAnswers = { tempo: [], key: [], beats: [], downbeats: [], genre: [] };
  if (truth.tempo_bpm && rhythm?.bpm != null && rhythm.confidence !== null) {
    answers.tempo.push({ confidence: rhythm.confidence, right: tempoAccuracy1(truth.tempo_bpm, rhythm.bpm) });
  }
  const trueKey = parseKey(truth.key ?? null);
  if (trueKey && tonal?.key && tonal.confidence !== null) {
    const right =
      keyScore(trueKey, parseKey(`${tonal.key}:${tonal.scale === 'minor' ? 'min' : 'maj'}`)) === 1;
    answers.key.push({ confidence: tonal.confidence, right });
  }
  const genre = result.tags?.genres[0];
  if (truth.genre && genre) {
    answers.genre.push({ confidence: genre.confidence, right: genre.label === toGenreWord(truth.genre) });
  }
  answers.beats.push(...timedAnswers(truth.beats, rhythm?.beats ?? []));
  answers.downbeats.push(...timedAnswers(truth.downbeats, rhythm?.downbeats ?? []));
  return answers;
}

function timedAnswers(
  truthSeconds: readonly number[] | undefined,
  events: readonly { timeSeconds: number; confidence: number }[],
): Answer[] {
  if (!truthSeconds || truthSeconds.length < 2) return [];
  const [startSeconds, endSeconds] = [
    truthSeconds[0]! - MARGIN_SECONDS,
    truthSeconds.at(-1)! + MARGIN_SECONDS,
  ];
  return events
    .filter(({ timeSeconds }) => timeSeconds >= startSeconds && timeSeconds <= endSeconds)
    .map((event) => ({
      confidence: event.confidence,
      right: truthSeconds.some((seconds) => Math.abs(seconds - event.timeSeconds) <= BEAT_TOLERANCE_SECONDS),
    }));
}
