/** The result of one run of the evaluation, as committed in evaluation/scores. */

import type { ConfidenceKind } from './confidences.ts';
import type { ReliabilityBin } from './metrics/calibration.ts';
import type { ScoreName, Scores } from './score-song.ts';

/** `answers` is their number. */
export type Calibration = { answers: number; expectedCalibrationError: number; curve: ReliabilityBin[] };

/**
 * The annotated truth about a song, the engine's answer and its confidence. The truth is null where the corpus does not have it, an
 * answer where the engine gives none; a field is absent where the question does not apply to the song.
 */
export type SongAnswers = {
  tempo: { truthBpm: number | null; bpm: number | null; confidence: number | null };
  key: { truth: string | null; key: string | null; confidence: number | null; tuningHz: number | null };
  genre?: { truth: string | null; genre: string | null; confidence: number | null };
  voice?: { truthShare: number; share: number | null };
  /** Share of the song with a voice; for renderings, in which nobody sings, and for songs with a genre. */
  voiceShare?: number | null;
  /** For corpora with the same recording in several files. */
  recording?: { name: string; voiceShare: number | null };
};

export type ScoreFile = {
  corpus: string;
  /** Earshot with or without its networks, or the name of another program whose estimates were scored. */
  ears: 'learned' | 'classical' | (string & {});
  models: { name: string; version: string; sha256: string }[];
  /** `songs`: how many have the score. */
  means: { name: ScoreName; mean: number; songs: number }[];
  calibration: Partial<Record<ConfidenceKind, Calibration>>;
  songs: Record<string, Scores>;
  answers: Record<string, SongAnswers>;
  /** By song id, for songs whose genre the corpus knows. */
  genres?: Record<string, string>;
  /** `count` embeddings, of which the share `alike` has the same label as its nearest neighbour. */
  neighbours?: { of: 'genre' | 'recording'; count: number; alike: number };
};
