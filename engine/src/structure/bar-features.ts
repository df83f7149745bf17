/**
 * What does each bar sound like?
 *
 * Four feature vectors per bar: `rhythm` (rises in nine groups of mel bands at sixteen positions), `sound` (27 groups of mel bands at eight positions),
 * `timbre` (the cepstrum of the bar's mean spectrum) and `melody` (three octaves of semitones from C4 at eight positions). Because of the positions, two
 * bars are similar only if the same happens at the same place in both. Each vector is centred on its mean over the piece, so that the cosine of two
 * bars measures what they share beyond what is common to the whole piece.
 *
 * Barwise features: Marmoret, Cohen and Bimbot, "Barwise Music Structure Analysis with the Correlation Block-Matching
 * Segmentation Algorithm", Transactions of ISMIR 6(1), 2023.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { MEL_FRAMES } from '../signal/front-end.ts';
import { createKernels, type FloatRegion, type Kernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';
import { createSemitoneFrames, SEMITONE_COUNT, type SemitoneFrames } from '../tonal/semitones.ts';

/** One vector of `width` values for each bar, at [bar * width]. */
export type BarVectors = { barCount: number; width: number; data: Float32Array };

export type BarFeatures = Record<'rhythm' | 'sound' | 'timbre' | 'melody', BarVectors>;

export const MEL_BAND_COUNT = MEL_FRAMES.bandCount;
/** log(1 + gain * x) at unit RMS, the compression of the beat network's input (engine/models/README.md). */
const MEL_GAIN = 10;
/** This and the other resolutions are round numbers, not optima. */
export const RHYTHM = { bandCount: 9, positionCount: 16 };
export const SOUND = { bandCount: 27, positionCount: 8 };
const CEPSTRUM_COUNT = 20;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** The first is C4; index 0 is C2 (tonal/semitones.ts). */
const MELODY = { firstSemitone: 24, semitoneCount: 36, positionCount: 8 };

export function describeBars(
  edgesSeconds: readonly number[],
  mel: FrameMatrix,
  pitch: FrameMatrix,
  rms: number,
  tuningCents: number,
): BarFeatures {
  const kernels = createKernels();
  const barCount = edgesSeconds.length - 1;
  const bars = Array.from({ length: barCount }, (_, bar) => ({
    startSeconds: edgesSeconds[bar]!,
    endSeconds: edgesSeconds[bar + 1]!,
  }));
  const { rhythm, sound, timbre } = describeSound(kernels, bars, mel, rms);
  const melody = describeMelody(kernels, bars, createSemitoneFrames(kernels, pitch, rms, tuningCents), pitch);
  const finish = (vectors: FloatRegion): BarVectors => {
    const width = vectors.length / barCount;
    kernels.exports.centreAndScale(vectors.pointer, barCount, width);
    return { barCount, width, data: vectors.view.slice() };
  };
  return { rhythm: finish(rhythm), sound: finish(sound), timbre: finish(timbre), melody: finish(melody) };
}

type Bar = { startSeconds: number; endSeconds: number };

function describeSound(
  kernels: Kernels,
  bars: readonly Bar[],
  mel: FrameMatrix,
  rms: number,
): Record<'rhythm' | 'sound' | 'timbre', FloatRegion> {
  const rhythm = kernels.allocateFloats(bars.length * RHYTHM.bandCount * RHYTHM.positionCount);
  const sound = kernels.allocateFloats(bars.length * SOUND.bandCount * SOUND.positionCount);
  const timbre = kernels.allocateFloats(bars.length * CEPSTRUM_COUNT);
  const cosines = kernels.copyDoubles(COSINES).pointer;
  const { addMelFrames, projectOnto } = kernels.exports;
  const spectrum = kernels.allocateDoubles(MEL_BAND_COUNT);
  const cepstrum = kernels.allocateDoubles(CEPSTRUM_COUNT);
  const logMel = createLogFrames(kernels, mel, { gain: MEL_GAIN / rms, shift: 1 }, 1);
  // Two positions of `rhythm` are one of `sound`.
  const positionsPerSound = RHYTHM.positionCount / SOUND.positionCount;
  bars.forEach((bar, index) => {
    spectrum.view.fill(0);
    for (let position = 0; position < RHYTHM.positionCount; position++) {
      const { from, to } = framesOfPosition(mel, bar, position, RHYTHM.positionCount);
      const rhythmAt = (index * RHYTHM.positionCount + position) * RHYTHM.bandCount;
      const soundPosition = index * SOUND.positionCount + Math.floor(position / positionsPerSound);
      const add = (frames: number, count: number, historyBands: number): void =>
        addMelFrames(
          frames,
          count,
          MEL_BAND_COUNT,
          historyBands,
          1 / (to - from),
          rhythm.pointer + rhythmAt * FLOAT_BYTES,
          MEL_BAND_COUNT / RHYTHM.bandCount,
          sound.pointer + soundPosition * SOUND.bandCount * FLOAT_BYTES,
          MEL_BAND_COUNT / SOUND.bandCount,
          spectrum.pointer,
        );
      logMel.visit(from, to, ({ first, count, logarithms }) => {
        // The first frame of the recording has no predecessor from which to rise.
        const leadCount = first === 0 ? 1 : 0;
        if (leadCount) add(logarithms, 1, 0);
        add(logarithms + leadCount * MEL_BAND_COUNT * FLOAT_BYTES, count - leadCount, MEL_BAND_COUNT);
      });
    }
    cepstrum.view.fill(0);
    projectOnto(cosines, CEPSTRUM_COUNT, spectrum.pointer, MEL_BAND_COUNT, cepstrum.pointer);
    // The orthonormal transform weights the first coefficient by √½ relative to the others.
    cepstrum.view[0]! *= Math.SQRT1_2;
    timbre.view.set(cepstrum.view, index * CEPSTRUM_COUNT);
  });
  return { rhythm, sound, timbre };
}

function describeMelody(
  kernels: Kernels,
  bars: readonly Bar[],
  frames: SemitoneFrames,
  pitch: FrameMatrix,
): FloatRegion {
  const { addMeans } = kernels.exports;
  const { firstSemitone, semitoneCount, positionCount } = MELODY;
  const melody = kernels.allocateFloats(bars.length * semitoneCount * positionCount);
  bars.forEach((bar, index) => {
    for (let position = 0; position < positionCount; position++) {
      const { from, to } = framesOfPosition(pitch, bar, position, positionCount);
      const out = melody.pointer + (index * positionCount + position) * semitoneCount * FLOAT_BYTES;
      frames.visit(from, to, (rows, count) => {
        addMeans(rows, count, SEMITONE_COUNT, firstSemitone, semitoneCount, to - from, out);
      });
    }
  });
  return melody;
}

/** The first rows of the type-II discrete cosine transform, which keep the envelope of a spectrum but not its detail. */
const COSINES = Float64Array.from({ length: CEPSTRUM_COUNT * MEL_BAND_COUNT }, (_, index) => {
  const k = Math.floor(index / MEL_BAND_COUNT);
  const band = index % MEL_BAND_COUNT;
  return Math.cos((Math.PI * k * (band + 0.5)) / MEL_BAND_COUNT);
});

/** The frames of one of `positionCount` equal parts of a bar, its ends rounded to frames; at least one frame, the last one beyond the end. */
function framesOfPosition(
  matrix: FrameMatrix,
  { startSeconds, endSeconds }: Bar,
  position: number,
  positionCount: number,
): { from: number; to: number } {
  const stepSeconds = (endSeconds - startSeconds) / positionCount;
  const first = Math.round((startSeconds + position * stepSeconds) * matrix.frameRateHz);
  const end = Math.round((startSeconds + (position + 1) * stepSeconds) * matrix.frameRateHz);
  const from = Math.max(0, Math.min(first, matrix.frameCount - 1));
  return { from, to: Math.max(from + 1, Math.min(end, matrix.frameCount)) };
}
