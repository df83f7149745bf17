/**
 * What can be known of the harmony before the beats: the tuning, and the chord network's activation for every frame.
 *
 * Bar lines need it (rhythm/bar-lines.ts), and so do keys and chords (analyse-tonal.ts).
 */

import { readModelFile } from '../learned/model-file.ts';
import type { ModelProvenance } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { SILENCE_RMS } from '../silence-level.ts';
import { type LearnedTonality, runChordNetwork } from './chord-network.ts';
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

/** `onProgress` gets the fraction done, 0..1. */
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
