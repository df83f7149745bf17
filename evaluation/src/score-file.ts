/** What one run of the evaluation found, as it is committed in evaluation/scores/. */

import type { ConfidenceKind } from './confidences.ts';
import type { ReliabilityBin } from './metrics/calibration.ts';
import type { ScoreName, Scores } from './score-song.ts';

export type Calibration = { answers: number; expectedCalibrationError: number; curve: ReliabilityBin[] };

export type ScoreFile = {
  corpus: string;
  ears: 'learned' | 'classical';
  models: { name: string; version: string; sha256: string }[];
  means: { name: ScoreName; mean: number; songs: number }[];
  calibration: Partial<Record<ConfidenceKind, Calibration>>;
  songs: Record<string, Scores>;
};
