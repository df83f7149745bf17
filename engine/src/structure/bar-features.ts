/**
 * What does each bar sound like?
 *
 * Four descriptions, each one vector a bar, all resolved within the bar so that two bars are alike only when the same happens at the same
 * place: `rhythm` (rises of nine bands on sixteen positions), `sound` (27 mel bands on eight positions), `timbre` (the cepstrum of the bar's mean
 * spectrum), `melody` (three octaves of semitones from C4 on eight positions). Every description is centred on its mean over the piece, so that
 * the cosine of two bars measures what they share beyond what the whole piece shares.
 *
 * Barwise descriptions for form: Marmoret, Cohen and Bimbot, "Barwise Music Structure Analysis with the Correlation Block-Matching
 * Segmentation Algorithm", Transactions of ISMIR 6(1), 2023.
 */

import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { createLogFrames } from '../signal/log-frames.ts';
import { createSemitoneReader } from '../tonal/semitones.ts';

export type BarVectors = { barCount: number; width: number; data: Float32Array };

export type BarFeatures = {
  rhythm: BarVectors;
  sound: BarVectors;
  timbre: BarVectors;
  melody: BarVectors;
};

const MEL_BAND_COUNT = 81;
/** log(1 + gain x) of a signal of unit level, as the beat network hears it. */
const MEL_GAIN = 10;
const RHYTHM = { bandCount: 9, positionCount: 16 };
const SOUND = { bandCount: 27, positionCount: 8 };
/** The wider band every mel band belongs to. */
const RHYTHM_BAND = groupMelBands(RHYTHM.bandCount);
const SOUND_BAND = groupMelBands(SOUND.bandCount);
const CEPSTRUM_COUNT = 20;
const MELODY = { firstSemitone: 24, semitoneCount: 36, positionCount: 8 };

export function describeBars(
  edgesSeconds: readonly number[],
  mel: FrameMatrix,
  pitch: FrameMatrix,
  rms: number,
  tuningCents: number,
): BarFeatures {
  const barCount = edgesSeconds.length - 1;
  const rhythm = createVectors(barCount, RHYTHM.bandCount * RHYTHM.positionCount);
  const sound = createVectors(barCount, SOUND.bandCount * SOUND.positionCount);
  const timbre = createVectors(barCount, CEPSTRUM_COUNT);
  const melody = createVectors(barCount, MELODY.semitoneCount * MELODY.positionCount);
  const readMel = createLogMelReader(mel, rms);
  const readSemitones = createSemitoneReader(pitch, rms, tuningCents);
  const spectrum = new Float64Array(MEL_BAND_COUNT);
  for (let bar = 0; bar < barCount; bar++) {
    const start = edgesSeconds[bar]!;
    const end = edgesSeconds[bar + 1]!;
    addMelBar(readMel, mel, start, end, bar, rhythm, sound, spectrum);
    addCepstrum(spectrum, timbre.data, bar * CEPSTRUM_COUNT);
    addMelodyBar(readSemitones, pitch, start, end, melody, bar);
  }
  for (const vectors of [rhythm, sound, timbre, melody]) centreAndScale(vectors);
  return { rhythm, sound, timbre, melody };
}

type FrameReader = (frame: number) => { levels: Float64Array; rises: Float64Array };

/** Reads frames in ascending order; `rises` are the increases since the frame before, zero where it falls. */
function createLogMelReader(mel: FrameMatrix, rms: number): FrameReader {
  const levels = new Float64Array(MEL_BAND_COUNT);
  const rises = new Float64Array(MEL_BAND_COUNT);
  const read = { levels, rises };
  const logMel = createLogFrames(createKernels(), mel, { gain: rms > 0 ? MEL_GAIN / rms : 0, shift: 1 }, 1);
  return (frame) => {
    const now = logMel.seek(frame);
    const before = frame === 0 ? now : now - mel.binCount;
    const { data } = logMel;
    for (let band = 0; band < MEL_BAND_COUNT; band++) {
      const level = data[now + band]!;
      levels[band] = level;
      rises[band] = Math.max(0, level - data[before + band]!);
    }
    return read;
  };
}

function addMelBar(
  readMel: FrameReader,
  mel: FrameMatrix,
  startSeconds: number,
  endSeconds: number,
  bar: number,
  rhythm: BarVectors,
  sound: BarVectors,
  spectrum: Float64Array,
): void {
  spectrum.fill(0);
  // Sixteen positions for the rises, and two of them together for the sound.
  const positionsPerSound = RHYTHM.positionCount / SOUND.positionCount;
  for (let position = 0; position < RHYTHM.positionCount; position++) {
    const { from, to } = framesOfPosition(mel, startSeconds, endSeconds, position, RHYTHM.positionCount);
    const share = 1 / (to - from);
    const rhythmAt = bar * rhythm.width + position * RHYTHM.bandCount;
    const soundAt = bar * sound.width + Math.floor(position / positionsPerSound) * SOUND.bandCount;
    for (let frame = from; frame < to; frame++) {
      const { levels, rises } = readMel(frame);
      for (let band = 0; band < MEL_BAND_COUNT; band++) {
        rhythm.data[rhythmAt + RHYTHM_BAND[band]!]! += share * rises[band]!;
        sound.data[soundAt + SOUND_BAND[band]!]! += share * levels[band]!;
        spectrum[band]! += share * levels[band]!;
      }
    }
  }
}

function addMelodyBar(
  readSemitones: (frame: number) => Float64Array,
  pitch: FrameMatrix,
  startSeconds: number,
  endSeconds: number,
  melody: BarVectors,
  bar: number,
): void {
  for (let position = 0; position < MELODY.positionCount; position++) {
    const { from, to } = framesOfPosition(pitch, startSeconds, endSeconds, position, MELODY.positionCount);
    const at = bar * melody.width + position * MELODY.semitoneCount;
    for (let frame = from; frame < to; frame++) {
      const semitones = readSemitones(frame);
      for (let s = 0; s < MELODY.semitoneCount; s++) {
        melody.data[at + s]! += semitones[MELODY.firstSemitone + s]! / (to - from);
      }
    }
  }
}

/** Type-II discrete cosine transform of a bar's mean spectrum; its first coefficients are the shape without the detail. */
function addCepstrum(spectrum: Float64Array, out: Float32Array, at: number): void {
  for (let k = 0; k < CEPSTRUM_COUNT; k++) {
    let sum = 0;
    for (let band = 0; band < MEL_BAND_COUNT; band++)
      sum += spectrum[band]! * COSINES[k * MEL_BAND_COUNT + band]!;
    // The mean level (k = 0) of an orthonormal transform weighs half as much.
    out[at + k] = k === 0 ? sum * Math.SQRT1_2 : sum;
  }
}

const COSINES = Float64Array.from({ length: CEPSTRUM_COUNT * MEL_BAND_COUNT }, (_, index) => {
  const k = Math.floor(index / MEL_BAND_COUNT);
  const band = index % MEL_BAND_COUNT;
  return Math.cos((Math.PI * k * (band + 0.5)) / MEL_BAND_COUNT);
});

/** The frames nearest to one of `count` equal parts of a bar; at least one. */
function framesOfPosition(
  matrix: FrameMatrix,
  startSeconds: number,
  endSeconds: number,
  position: number,
  count: number,
): { from: number; to: number } {
  const step = (endSeconds - startSeconds) / count;
  const first = Math.round((startSeconds + position * step) * matrix.frameRateHz);
  const last = Math.round((startSeconds + (position + 1) * step) * matrix.frameRateHz);
  const from = Math.max(0, Math.min(first, matrix.frameCount - 1));
  return { from, to: Math.max(from + 1, Math.min(last, matrix.frameCount)) };
}

function groupMelBands(count: number): Uint8Array {
  return Uint8Array.from({ length: MEL_BAND_COUNT }, (_, band) =>
    Math.floor((band * count) / MEL_BAND_COUNT),
  );
}

function createVectors(barCount: number, width: number): BarVectors {
  return { barCount, width, data: new Float32Array(barCount * width) };
}

/** Takes the mean over bars off and makes every bar a vector of length one (or zero, for a bar like the mean). */
function centreAndScale({ barCount, width, data }: BarVectors): void {
  for (let i = 0; i < width; i++) {
    let mean = 0;
    for (let bar = 0; bar < barCount; bar++) mean += data[bar * width + i]! / barCount;
    for (let bar = 0; bar < barCount; bar++) data[bar * width + i]! -= mean;
  }
  for (let bar = 0; bar < barCount; bar++) {
    const row = data.subarray(bar * width, (bar + 1) * width);
    let squares = 0;
    for (const value of row) squares += value * value;
    const scale = squares > 1e-12 ? 1 / Math.sqrt(squares) : 0;
    for (let i = 0; i < width; i++) row[i]! *= scale;
  }
}
