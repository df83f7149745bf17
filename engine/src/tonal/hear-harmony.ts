/**
 * What is heard of harmony before anybody knows the beats: the tuning, and the network's opinion of every frame.
 *
 * Bar lines are laid with it (rhythm/bar-lines.ts), keys and chords are made of it (analyse-tonal.ts).
 */

import { readModelFile } from '../learned/model-file.ts';
import type { ModelProvenance } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { type LearnedTonality, runChordNetwork } from './chord-network.ts';
import { SILENCE_RMS } from './pitchedness.ts';
import { estimateTuning, type Tuning } from './tuning.ts';

export type Harmony = {
  /** Null when nothing has a pitch. */
  tuning: Tuning | null;
  /** Null without a model, and for silence. */
  learned: LearnedTonality | null;
  models: ModelProvenance[];
};

export type HarmonyInput = {
  /** 10 frames a second of half-semitone magnitudes. */
  pitch: FrameMatrix;
  /** Level of the whole recording. */
  rms: number;
  /** Bytes of the chord network; null leaves chords to the templates. */
  model: Uint8Array | null;
};

/** `onProgress` hears the fraction done, 0..1. */
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
