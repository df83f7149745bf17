/** What one run of the evaluation found, as it is committed in evaluation/scores/. */

import type { ConfidenceKind } from './confidences.ts';
import type { ReliabilityBin } from './metrics/calibration.ts';
import type { ScoreName, Scores } from './score-song.ts';

export type Calibration = { answers: number; expectedCalibrationError: number; curve: ReliabilityBin[] };

/** What is true of a song, where somebody knows, beside what the engine said of it and how sure it was. */
export type SongAnswers = {
  tempo: { truthBpm: number | null; bpm: number | null; confidence: number | null };
  key: { truth: string | null; key: string | null; confidence: number | null; tuningHz: number | null };
  genre?: { truth: string | null; genre: string | null; confidence: number | null };
  voice?: { truthShare: number; share: number | null };
  /** Of what nobody sings in, or of a genre: the share of it in which a voice is heard. */
  voiceShare?: number | null;
  /** Of a file that is one of several of the same recording. */
  recording?: { name: string; voiceShare: number | null };
};

export type ScoreFile = {
  corpus: string;
  /** Ours with and without networks, or whose estimates were scored. */
  ears: 'learned' | 'classical' | (string & {});
  models: { name: string; version: string; sha256: string }[];
  means: { name: ScoreName; mean: number; songs: number }[];
  calibration: Partial<Record<ConfidenceKind, Calibration>>;
  songs: Record<string, Scores>;
  answers: Record<string, SongAnswers>;
  /** Of each song, where the corpus knows it. */
  genres?: Record<string, string>;
  /** Of the embeddings: how many, and for which share the nearest other one is of the same genre, or of the same recording. */
  neighbours?: { of: 'genre' | 'recording'; count: number; alike: number };
};
