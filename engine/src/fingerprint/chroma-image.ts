/**
 * Which pitch classes sound, and when? The image that a fingerprint is computed from: twelve rows, eight columns a second.
 *
 * Hamming-windowed frames of 4096 samples at 11,025 Hz, a third of their length apart; the power between 28 and 3520 Hz is folded into pitch classes
 * from A up, each of them smoothed over five frames, and every column scaled to unit length.
 * Jang et al., "Pairwise Boosted Audio Fingerprint", IEEE Trans. Information Forensics and Security 4(4), 2009, with the chroma of
 * Chromaprint (Lalinský, "How does Chromaprint work?", 2011) in place of its filter bank. All constants are Chromaprint's, which define the
 * format.
 */

import { createRealFft } from '../signal/fft.ts';
import type { Kernels } from '../signal/kernels.ts';
import { PITCH_CLASS_COUNT } from '../tonal/key-name.ts';
import { FINGERPRINT_RATE_HZ } from './fingerprint-filter.ts';

const FRAME_SAMPLES = 4096;
const HOP_SAMPLES = Math.floor(FRAME_SAMPLES / 3);
const LOWEST_HZ = 28;
const HIGHEST_HZ = 3520;
/** A0, the lowest note of pitch class 0. */
const BASE_HZ = 27.5;
const SMOOTHING = [0.25, 0.75, 1, 0.75, 0.25];
/** Columns of a smaller norm are set to zero. */
const NORM_MIN = 0.01;
const SAMPLE_MAX = 32767;

export type ChromaImage = {
  /** Takes 16-bit integers, as floats, at 11,025 Hz. */
  push(samples: Float32Array): void;
  /** Columns of twelve pitch classes. */
  finish(): Float64Array[];
};

export function createChromaImage(kernels: Kernels): ChromaImage {
  const fft = createRealFft(kernels, FRAME_SAMPLES);
  const window = kernels.copyFloats(createHammingWindow());
  const held = kernels.allocateFloats(2 * FRAME_SAMPLES);
  const { firstBin, classes } = assignPitchClasses();
  const classesAt = kernels.exports.allocate(classes.length);
  new Uint8Array(kernels.exports.memory.buffer, classesAt, classes.length).set(classes);
  const chroma = kernels.allocateDoubles(PITCH_CLASS_COUNT);
  const recent: Float64Array[] = [];
  const columns: Float64Array[] = [];
  let heldCount = 0;

  const takeFrame = (): void => {
    fft.transform(held.pointer, window.pointer);
    chroma.view.fill(0);
    const first = firstBin * Float32Array.BYTES_PER_ELEMENT;
    kernels.exports.foldPowers(
      fft.re.pointer + first,
      fft.im.pointer + first,
      classesAt,
      classes.length,
      chroma.pointer,
    );
    recent.push(chroma.view.slice());
    if (recent.length < SMOOTHING.length) return;
    columns.push(scaleToUnit(smooth(recent)));
    recent.shift();
  };

  return {
    push(samples) {
      for (let from = 0; from < samples.length; ) {
        const count = Math.min(samples.length - from, held.length - heldCount);
        held.view.set(samples.subarray(from, from + count), heldCount);
        heldCount += count;
        from += count;
        while (heldCount >= FRAME_SAMPLES) {
          takeFrame();
          held.view.copyWithin(0, HOP_SAMPLES, heldCount);
          heldCount -= HOP_SAMPLES;
        }
      }
    },
    finish: () => columns,
  };
}

function createHammingWindow(): Float32Array {
  return Float32Array.from(
    { length: FRAME_SAMPLES },
    (_, n) => (0.54 - 0.46 * Math.cos((2 * Math.PI * n) / (FRAME_SAMPLES - 1))) / SAMPLE_MAX,
  );
}

/** The pitch class of each bin from `firstBin` on. */
function assignPitchClasses(): { firstBin: number; classes: Uint8Array } {
  const binOf = (frequencyHz: number): number =>
    Math.round((FRAME_SAMPLES * frequencyHz) / FINGERPRINT_RATE_HZ);
  const firstBin = binOf(LOWEST_HZ);
  const classes = Uint8Array.from({ length: binOf(HIGHEST_HZ) - firstBin }, (_, k) => {
    const octave = Math.log2(((firstBin + k) * FINGERPRINT_RATE_HZ) / FRAME_SAMPLES / BASE_HZ);
    return Math.floor(PITCH_CLASS_COUNT * (octave - Math.floor(octave)));
  });
  return { firstBin, classes };
}

function smooth(columns: Float64Array[]): Float64Array {
  const smoothed = new Float64Array(PITCH_CLASS_COUNT);
  for (let k = 0; k < SMOOTHING.length; k++) {
    const column = columns[k]!;
    for (let pitchClass = 0; pitchClass < PITCH_CLASS_COUNT; pitchClass++) {
      smoothed[pitchClass]! += SMOOTHING[k]! * column[pitchClass]!;
    }
  }
  return smoothed;
}

function scaleToUnit(column: Float64Array): Float64Array {
  const norm = Math.hypot(...column);
  return norm < NORM_MIN ? new Float64Array(PITCH_CLASS_COUNT) : column.map((value) => value / norm);
}
