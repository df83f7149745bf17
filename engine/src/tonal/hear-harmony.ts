/**
 * What is known about the harmony before the beats are? The tuning (tuning.ts), and the chord network's output for every frame (chord-network.ts).
 *
 * Beats need it to find the bar lines (rhythm/bar-lines.ts), and keys and chords are derived from it (analyse-tonal.ts).
 */

import { readModelFile } from '../learned/model-file.ts';
import type { ModelProvenance } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { SILENCE_RMS } from '../silence-level.ts';
import { type LearnedTonality, runChordNetwork } from './chord-network.ts';
import { estimateTuning, type Tuning } from './tuning.ts';

export type Harmony = {
  /** Null if nothing has a pitch. */
  tuning: Tuning | null;
  /** Null without a model or in silence. */
  learned: LearnedTonality | null;
  models: ModelProvenance[];
};

export type HarmonyInput = {
  /** Half-semitone spectrum: 10 frames a second, 144 bands. */
  pitch: FrameMatrix;
  /** RMS of the whole recording; full scale is 1. */
  rms: number;
  /** The chord network's model file; null leaves chords to the templates. */
  model: Uint8Array | null;
};

/** `onProgress` receives the fraction done, 0..1. */
export function hearHarmony(
  { pitch, rms, model: bytes }: HarmonyInput,
  onProgress: (fraction: number) => void = () => {},
): Harmony {
  if (!(rms > SILENCE_RMS)) return { tuning: null, learned: null, models: [] };
  const tuning = estimateTuning(pitch);
  const model = bytes && readModelFile(bytes);
  if (!model) return { tuning, learned: null, models: [] };
  const input = { pitch, rms, tuningCents: tuning?.cents ?? 0 };
  return {
    tuning,
    learned: runChordNetwork(createKernels(), model, input, onProgress),
    models: [model.provenance],
  };
}
