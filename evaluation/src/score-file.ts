/** The outcome of one run of the evaluation, as committed in evaluation/scores/. */

import type { ConfidenceKind } from './confidences.ts';
import type { ReliabilityBin } from './metrics/calibration.ts';
import type { ScoreName, Scores } from './score-song.ts';

export type Calibration = { answers: number; expectedCalibrationError: number; curve: ReliabilityBin[] };

/** The truth about a song, null where nobody knows it, beside the engine's answer and its confidence. */
export type SongAnswers = {
  tempo: { truthBpm: number | null; bpm: number | null; confidence: number | null };
  key: { truth: string | null; key: string | null; confidence: number | null; tuningHz: number | null };
  genre?: { truth: string | null; genre: string | null; confidence: number | null };
  voice?: { truthShare: number; share: number | null };
  /** The share of the song in which a voice is heard; of renderings, in which nobody sings, and of songs with a genre. */
  voiceShare?: number | null;
  /** Where the corpus has the same recording in several files. */
  recording?: { name: string; voiceShare: number | null };
};

export type ScoreFile = {
  corpus: string;
  /** Ours with and without networks, or the name of the program whose estimates were scored. */
  ears: 'learned' | 'classical' | (string & {});
  models: { name: string; version: string; sha256: string }[];
  means: { name: ScoreName; mean: number; songs: number }[];
  calibration: Partial<Record<ConfidenceKind, Calibration>>;
  songs: Record<string, Scores>;
  answers: Record<string, SongAnswers>;
  /** Of each song, where the corpus knows it. */
  genres?: Record<string, string>;
  /** How many embeddings there are, and for which share of them the nearest other one has the same label. */
  neighbours?: { of: 'genre' | 'recording'; count: number; alike: number };
};
