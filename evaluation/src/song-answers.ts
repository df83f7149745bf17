/** Tempo and key of each song with the truth: docs/accuracy.md shows where the engine is wrong, and how sure it was. */

import type { AnalysisResult } from '@earshot/engine';
import { keyScore, parseKey } from './metrics/key.ts';
import { tempoAccuracy1, tempoAccuracy2 } from './metrics/tempo.ts';
import type { SongAnswers } from './score-file.ts';
import { toGenreAndVoiceAnswers } from './score-genre-and-voice.ts';
import type { Estimate, Truth } from './score-song.ts';

/** The line that docs/accuracy.md draws: an answer with less confidence is taken as marked uncertain. */
export const SURE_CONFIDENCE_MIN = 0.75;

export function toSongAnswers(truth: Truth, estimate: Estimate, result: AnalysisResult): SongAnswers {
  const { rhythm, tonal } = result;
  return {
    ...toGenreAndVoiceAnswers(truth, result),
    tempo: {
      truthBpm: truth.tempo_bpm ?? null,
      bpm: estimate.tempo_bpm,
      confidence: rhythm?.confidence ?? null,
    },
    key: {
      truth: truth.key ?? null,
      key: estimate.key,
      confidence: tonal?.confidence ?? null,
      tuningHz: tonal?.tuningHz ?? null,
    },
  };
}

/** One table row: truth, answer and verdict for tempo and key. */
export function formatAnswers(id: string, { tempo, key }: SongAnswers): string {
  const tuning = key.tuningHz === null ? '' : ` (A at ${key.tuningHz.toFixed(0)} Hz)`;
  const cells = [
    id,
    tempo.truthBpm === null ? '–' : tempo.truthBpm.toFixed(1),
    tempo.bpm === null ? 'none' : `${tempo.bpm.toFixed(1)} at ${formatConfidence(tempo.confidence)}`,
    judgeTempo(tempo),
    key.truth ?? '–',
    key.key === null ? 'none' : `${key.key} at ${formatConfidence(key.confidence)}${tuning}`,
    judgeKey(key),
  ];
  return `| ${cells.join(' | ')} |`;
}

function judgeTempo({ truthBpm, bpm, confidence }: SongAnswers['tempo']): string {
  if (truthBpm === null) return '–';
  if (bpm === null) return 'abstains';
  if (tempoAccuracy1(truthBpm, bpm)) return 'right';
  return describeFault(tempoAccuracy2(truthBpm, bpm) ? 'another level' : 'wrong', confidence);
}

function judgeKey({ truth, key, confidence }: SongAnswers['key']): string {
  const trueKey = parseKey(truth);
  if (trueKey === null) return '–';
  if (key === null) return 'abstains';
  return keyScore(trueKey, parseKey(key)) === 1 ? 'right' : describeFault('not the label', confidence);
}

function describeFault(fault: string, confidence: number | null): string {
  return confidence === null || confidence < SURE_CONFIDENCE_MIN
    ? `${fault}, said to be uncertain`
    : `**${fault}, and sure**`;
}

function formatConfidence(confidence: number | null): string {
  return confidence === null ? '–' : confidence.toFixed(2);
}
