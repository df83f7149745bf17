/**
 * How strong is each pitch class in every frame?
 *
 * The whitened semitones are summed over octaves under two bell curves: one for the middle register, where chords are voiced, and one for the bass,
 * which plays the roots.
 *
 * One chroma per register: Mauch and Dixon, "Approximate Note Transcription for the Improved Identification of Difficult Chords", ISMIR 2010.
 * Deviation: the registers are weighted by Gaussian bells.
 */

import type { FloatFrames, FrameMatrix } from '../signal/frame-matrix.ts';
import { windowRows } from '../signal/frame-window.ts';
import { createKernels } from '../signal/kernels.ts';
import { PITCH_CLASS_COUNT } from './key-name.ts';
import { createSemitoneFrames, SEMITONE_COUNT } from './semitones.ts';

type Bell = { centreSemitones: number; widthSemitones: number };

/** In semitones above C2: around C4, and below around Ab2. Set by hand. */
export const MIDDLE_BELL: Bell = { centreSemitones: 24, widthSemitones: 14 };
const BASS_BELL: Bell = { centreSemitones: 8, widthSemitones: 7 };

export type Chroma = {
  /** Twelve bins from C, not normalised: the norm of a row is the level of its frame. */
  middle: FloatFrames;
  bass: FloatFrames;
};

/** `rms` is that of the whole recording. */
export function computeChroma(pitch: FrameMatrix, rms: number, tuningCents: number): Chroma {
  const kernels = createKernels();
  const frames = createSemitoneFrames(kernels, pitch, rms, tuningCents);
  const folded = kernels.allocateFloats(windowRows(0) * PITCH_CLASS_COUNT);
  const registers = [MIDDLE_BELL, BASS_BELL].map((bell) => ({
    bell: kernels.copyDoubles(
      Float64Array.from({ length: SEMITONE_COUNT }, (_, s) => weighUnderBell(bell, s)),
    ).pointer,
    chroma: {
      frameRateHz: pitch.frameRateHz,
      binCount: PITCH_CLASS_COUNT,
      frameCount: pitch.frameCount,
      data: new Float32Array(pitch.frameCount * PITCH_CLASS_COUNT),
    },
  }));
  frames.visit(0, pitch.frameCount, (rows, count, first) => {
    for (const { bell, chroma } of registers) {
      folded.view.fill(0);
      kernels.exports.foldOctaves(rows, count, SEMITONE_COUNT, bell, folded.pointer);
      chroma.data.set(folded.view.subarray(0, count * PITCH_CLASS_COUNT), first * PITCH_CLASS_COUNT);
    }
  });
  return { middle: registers[0]!.chroma, bass: registers[1]!.chroma };
}

/** The mean over frames `from` up to, not including, `to`; zeros if there are none. */
export function averageChroma(chroma: FloatFrames, from: number, to: number): Float64Array {
  const mean = new Float64Array(PITCH_CLASS_COUNT);
  for (let frame = from; frame < to; frame++) {
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) mean[p]! += chroma.data[frame * PITCH_CLASS_COUNT + p]!;
  }
  const count = Math.max(1, to - from);
  for (let p = 0; p < PITCH_CLASS_COUNT; p++) mean[p]! /= count;
  return mean;
}

/** The weight of a tone `semitones` above C2. */
export function weighUnderBell({ centreSemitones, widthSemitones }: Bell, semitones: number): number {
  return Math.exp(-0.5 * ((semitones - centreSemitones) / widthSemitones) ** 2);
}
