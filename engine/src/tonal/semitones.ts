/**
 * How strong is each semitone from C2 to B7 in every frame, independently of the tuning and the level of the recording?
 *
 * 1. half-semitone bands become 72 semitones in the estimated tuning (triangles that reach one semitone to each side and split every band's magnitude
 *    between neighbouring semitones)
 * 2. magnitudes relative to the recording's level are compressed logarithmically, as in hearing
 * 3. the mean of the surrounding three octaves is subtracted, which removes broadband sound (drums, breath) and keeps peaks
 *
 * Log compression and whitening: Mauch and Dixon, "Approximate Note Transcription for the Improved Identification of Difficult Chords", ISMIR 2010.
 * Deviation: no note transcription (least squares) follows. On the dev corpus, subtracting the expected partials lowered chord accuracy from .893 to .867
 * (maj/min), since it removes real fifths and thirds as well.
 */

import { ParameterError } from '../parameter-error.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createFrameWindow, windowRows } from '../signal/frame-window.ts';
import { PITCH_FRAMES } from '../signal/front-end.ts';
import type { Kernels } from '../signal/kernels.ts';

/** Half semitones from C2 up. */
export const PITCH_BAND_COUNT = PITCH_FRAMES.bandCount;
export const SEMITONE_COUNT = 72;
export const BANDS_PER_SEMITONE = PITCH_FRAMES.bandsPerOctave / 12;
/** Bands under the triangle of a semitone. */
export const WEIGHT_REACH_BANDS = 2 * BANDS_PER_SEMITONE + 1;
export const CENTS_PER_BAND = 50;
/** √8192, which scales the magnitudes of the unscaled 8192-point transform to those of a unitary one. */
export const PITCH_MAGNITUDE_UNIT = 90.5;

/** log(1 + gain * x): chord accuracy is flat from 3 to 30. */
const COMPRESSION_GAIN = 10;
/** Half of three octaves, to either side. */
export const WHITENING_REACH_SEMITONES = 18;

export type SemitoneFrames = {
  /** Calls `use` for frames `from` up to, not including, `to`, with the address of rows of SEMITONE_COUNT doubles, how many, and the first one's frame. */
  visit(from: number, to: number, use: (rows: number, count: number, first: number) => void): void;
};

/** `rms` is that of the whole recording. */
export function createSemitoneFrames(
  kernels: Kernels,
  pitch: FrameMatrix,
  rms: number,
  tuningCents: number,
): SemitoneFrames {
  if (pitch.binCount !== PITCH_BAND_COUNT) {
    throw new ParameterError(`expected ${PITCH_BAND_COUNT} bands, got ${pitch.binCount}`);
  }
  const { firstBands, weights } = createSemitoneWeights(tuningCents);
  const firstBandsAt = kernels.copyFloats(new Float32Array(firstBands.buffer)).pointer;
  const weightsAt = kernels.copyDoubles(weights).pointer;
  const compressed = kernels.allocateDoubles(SEMITONE_COUNT).pointer;
  const semitones = kernels.allocateDoubles(windowRows(0) * SEMITONE_COUNT).pointer;
  const window = createFrameWindow(kernels, pitch, (rows, rowCount) => {
    kernels.exports.takeSemitones(
      rows,
      rowCount,
      PITCH_BAND_COUNT,
      firstBandsAt,
      weightsAt,
      WEIGHT_REACH_BANDS,
      compressionGain(rms),
      SEMITONE_COUNT,
      WHITENING_REACH_SEMITONES,
      compressed,
      semitones,
    );
  });
  const rowBytes = SEMITONE_COUNT * Float64Array.BYTES_PER_ELEMENT;
  return {
    visit(from, to, use) {
      window.visit(from, to, (row, count, first) => use(semitones + row * rowBytes, count, first));
    },
  };
}

/** The gain that makes compression relative to the recording's level; 0 in silence. */
export function compressionGain(rms: number): number {
  return rms > 0 ? COMPRESSION_GAIN / (PITCH_MAGNITUDE_UNIT * rms) : 0;
}

/** The first band and the band weights of every semitone: a triangle around its tuned centre that reaches two bands to each side. */
export function createSemitoneWeights(tuningCents: number): {
  firstBands: Int32Array;
  weights: Float64Array;
} {
  const firstBands = new Int32Array(SEMITONE_COUNT);
  const weights = new Float64Array(SEMITONE_COUNT * WEIGHT_REACH_BANDS);
  for (let s = 0; s < SEMITONE_COUNT; s++) {
    const centre = s * BANDS_PER_SEMITONE + tuningCents / CENTS_PER_BAND;
    const first = Math.ceil(centre - BANDS_PER_SEMITONE);
    firstBands[s] = first;
    for (let k = 0; k < WEIGHT_REACH_BANDS; k++) {
      const distanceBands = Math.abs(first + k - centre);
      weights[s * WEIGHT_REACH_BANDS + k] = Math.max(0, 1 - distanceBands / BANDS_PER_SEMITONE);
    }
  }
  return { firstBands, weights };
}
