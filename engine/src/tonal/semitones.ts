/**
 * How strong is every semitone from C2 to B7, now, whatever the tuning and however loud the recording?
 *
 * 1. the half-semitone bands become 72 semitones at the estimated tuning (triangles one semitone wide to each side, which share
 *    every band's magnitude between neighbouring semitones and lose none of it)
 * 2. magnitudes relative to the recording's level are compressed by a logarithm, because hearing is
 * 3. the mean of the surrounding three octaves is taken off, so that broadband sound (drums, breath) vanishes and peaks stay
 *
 * Log compression and whitening: Mauch and Dixon, "Approximate Note Transcription for the Improved Identification of Difficult
 * Chords", ISMIR 2010. Deviation: no note transcription (least squares) after it; on the dev corpus subtracting expected partials
 * lowered chord accuracy (.893 to .867 maj/min), since it removes real fifths and thirds with the partials.
 */

import { ParameterError } from '../parameter-error.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';

const PITCH_BAND_COUNT = 144;
export const SEMITONE_COUNT = 72;
const BANDS_PER_SEMITONE = 2;
export const CENTS_PER_BAND = 50;
/** Magnitudes of the pitch frames are those of an unscaled 8192-point transform; a unitary one is its square root smaller. */
export const PITCH_MAGNITUDE_UNIT = 90.5;

/** log(1 + gain x): chord accuracy is flat from 3 to 30. */
const COMPRESSION_GAIN = 10;
/** Three octaves around a semitone. */
const WHITENING_REACH_SEMITONES = 18;

/** Reads one frame; the array is overwritten by the next call. */
export type SemitoneReader = (frame: number) => Float64Array;

/** `rms` is the level of the whole recording, by which the magnitudes are divided. */
export function createSemitoneReader(pitch: FrameMatrix, rms: number, tuningCents: number): SemitoneReader {
  if (pitch.binCount !== PITCH_BAND_COUNT) {
    throw new ParameterError(`pitch must have ${PITCH_BAND_COUNT} bands, has ${pitch.binCount}`);
  }
  const weights = createSemitoneWeights(tuningCents);
  const semitones = new Float64Array(SEMITONE_COUNT);
  const whitened = new Float64Array(SEMITONE_COUNT);
  const gain = rms > 0 ? COMPRESSION_GAIN / (PITCH_MAGNITUDE_UNIT * rms) : 0;
  return (frame) => {
    sumIntoSemitones(pitch.data, frame * pitch.binCount, weights, semitones);
    for (let s = 0; s < SEMITONE_COUNT; s++) semitones[s] = Math.log1p(gain * semitones[s]!);
    whiten(semitones, whitened);
    return whitened;
  };
}

type SemitoneWeights = { firstBand: Int32Array; weights: Float64Array; reach: number };

/** Band weights of every semitone: a triangle over the tuned centre, two bands (one semitone) to each side. */
function createSemitoneWeights(tuningCents: number): SemitoneWeights {
  const reach = 2 * BANDS_PER_SEMITONE + 1;
  const firstBand = new Int32Array(SEMITONE_COUNT);
  const weights = new Float64Array(SEMITONE_COUNT * reach);
  for (let s = 0; s < SEMITONE_COUNT; s++) {
    const centre = s * BANDS_PER_SEMITONE + tuningCents / CENTS_PER_BAND;
    const first = Math.ceil(centre - BANDS_PER_SEMITONE);
    firstBand[s] = first;
    for (let k = 0; k < reach; k++) {
      weights[s * reach + k] = Math.max(0, 1 - Math.abs(first + k - centre) / BANDS_PER_SEMITONE);
    }
  }
  return { firstBand, weights, reach };
}

function sumIntoSemitones(
  data: Float32Array,
  start: number,
  { firstBand, weights, reach }: SemitoneWeights,
  semitones: Float64Array,
): void {
  for (let s = 0; s < SEMITONE_COUNT; s++) {
    let sum = 0;
    for (let k = 0; k < reach; k++) {
      const band = firstBand[s]! + k;
      if (band >= 0 && band < PITCH_BAND_COUNT) sum += weights[s * reach + k]! * data[start + band]!;
    }
    semitones[s] = sum;
  }
}

/** What stands above the mean of the neighbourhood. */
function whiten(values: Float64Array, out: Float64Array): void {
  const reach = WHITENING_REACH_SEMITONES;
  let sum = 0;
  for (let s = 0; s < reach; s++) sum += values[s]!;
  for (let s = 0; s < SEMITONE_COUNT; s++) {
    if (s + reach < SEMITONE_COUNT) sum += values[s + reach]!;
    if (s - reach > 0) sum -= values[s - reach - 1]!;
    const count = Math.min(SEMITONE_COUNT - 1, s + reach) - Math.max(0, s - reach) + 1;
    out[s] = Math.max(0, values[s]! - sum / count);
  }
}
