/**
 * How strong is every pitch class, now?
 *
 * The whitened semitones are summed over octaves under two bells: the middle register, where chords are voiced, and the bass, which
 * carries roots.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { PITCH_CLASS_COUNT } from './key-name.ts';
import { createSemitoneReader, SEMITONE_COUNT } from './semitones.ts';

/** Bells over the semitones from C2: C4 and Ab2. */
const MIDDLE_BELL = { centreSemitones: 24, widthSemitones: 14 };
const BASS_BELL = { centreSemitones: 8, widthSemitones: 7 };

export type Chroma = {
  /** Twelve bins from C. Not normalised: the level of a frame is the length of its row. */
  middle: FrameMatrix;
  bass: FrameMatrix;
};

/** `rms` is the level of the whole recording. */
export function computeChroma(pitch: FrameMatrix, rms: number, tuningCents: number): Chroma {
  const middle = createChromaMatrix(pitch);
  const bass = createChromaMatrix(pitch);
  const middleBell = createBell(MIDDLE_BELL);
  const bassBell = createBell(BASS_BELL);
  const readSemitones = createSemitoneReader(pitch, rms, tuningCents);
  for (let frame = 0; frame < pitch.frameCount; frame++) {
    const semitones = readSemitones(frame);
    const row = frame * PITCH_CLASS_COUNT;
    for (let s = 0; s < SEMITONE_COUNT; s++) {
      const at = row + (s % PITCH_CLASS_COUNT);
      middle.data[at]! += semitones[s]! * middleBell[s]!;
      bass.data[at]! += semitones[s]! * bassBell[s]!;
    }
  }
  return { middle, bass };
}

/** Mean over frames `from` to `to`. */
export function averageChroma(chroma: FrameMatrix, from: number, to: number): Float64Array {
  const mean = new Float64Array(PITCH_CLASS_COUNT);
  for (let frame = from; frame < to; frame++) {
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) mean[p]! += chroma.data[frame * PITCH_CLASS_COUNT + p]!;
  }
  const count = Math.max(1, to - from);
  for (let p = 0; p < PITCH_CLASS_COUNT; p++) mean[p]! /= count;
  return mean;
}

function createChromaMatrix(pitch: FrameMatrix): FrameMatrix {
  return {
    frameRateHz: pitch.frameRateHz,
    binCount: PITCH_CLASS_COUNT,
    frameCount: pitch.frameCount,
    data: new Float32Array(pitch.frameCount * PITCH_CLASS_COUNT),
  };
}

function createBell({
  centreSemitones,
  widthSemitones,
}: {
  centreSemitones: number;
  widthSemitones: number;
}): Float64Array {
  return Float64Array.from({ length: SEMITONE_COUNT }, (_, s) =>
    Math.exp(-0.5 * ((s - centreSemitones) / widthSemitones) ** 2),
  );
}
