/**
 * Triangular weights that reduce the bins of a magnitude spectrum to bands.
 *
 * The networks were trained on these two sets, so their formulas are fixed: mel bands for rhythm and timbre, half-semitone bands for pitch.
 * The weights of a band sum to one, so a band is a mean magnitude.
 */

import type { Kernels } from './kernels.ts';

/** The weights of one band, from `firstBin` on; all other bins have weight zero. */
export type BandRow = { firstBin: number; weights: Float64Array };

/** A number of bands and the addresses of their tables in kernel memory, as `sumBands` takes them. */
export type BandTable = { count: number; bands: number; weights: number };

/** Added to the sum of a band's weights before dividing by it. The networks were trained with it. */
const SUM_FLOOR = 1e-9;

/**
 * Slaney's mel scale: linear below 1 kHz, logarithmic above (Auditory Toolbox, Interval TR 1998-010). Training widens bands narrower
 * than two bins; with MEL_FRAMES (front-end.ts) there is none.
 */
export function createMelBands(options: {
  bandCount: number;
  lowHz: number;
  highHz: number;
  fftSize: number;
  sampleRateHz: number;
}): BandRow[] {
  const { bandCount, fftSize, sampleRateHz } = options;
  const binHz = sampleRateHz / fftSize;
  const edgesHz = listMelEdges(options);
  return Array.from({ length: bandCount }, (_, band) =>
    createTriangle(edgesHz[band]!, edgesHz[band + 1]!, edgesHz[band + 2]!, binHz),
  );
}

/** Band b extends from edge b to edge b + 2; edge b + 1 is its centre. */
export function listMelEdges(options: { bandCount: number; lowHz: number; highHz: number }): number[] {
  const { bandCount, lowHz, highHz } = options;
  const lowMel = hzToMel(lowHz);
  const stepMel = (hzToMel(highHz) - lowMel) / (bandCount + 1);
  return Array.from({ length: bandCount + 2 }, (_, index) => melToHz(lowMel + stepMel * index));
}

/** Bands at equal steps of the octave. Each extends up, and as far down, to the next centre or by one bin, whichever is wider. */
export function createPitchBands(options: {
  bandCount: number;
  lowHz: number;
  bandsPerOctave: number;
  fftSize: number;
  sampleRateHz: number;
}): BandRow[] {
  const { bandCount, lowHz, bandsPerOctave, fftSize, sampleRateHz } = options;
  const binHz = sampleRateHz / fftSize;
  return Array.from({ length: bandCount }, (_, band) => {
    const centreHz = lowHz * 2 ** (band / bandsPerOctave);
    const widthHz = Math.max(centreHz * (2 ** (1 / bandsPerOctave) - 1), binHz);
    return createTriangle(centreHz - widthHz, centreHz, centreHz + widthHz, binHz);
  });
}

/** Copies the weights to kernel memory for `sumBands`, which reads them four at a time. */
export function loadBandTable(kernels: Kernels, rows: BandRow[]): BandTable {
  const paddedLength = (row: BandRow): number => 4 * Math.ceil(row.weights.length / 4);
  const weights = new Float32Array(rows.reduce((total, row) => total + paddedLength(row), 0));
  const words = new Int32Array(3 * rows.length);
  let at = 0;
  rows.forEach((row, band) => {
    words.set([row.firstBin, paddedLength(row), at], 3 * band);
    weights.set(row.weights, at);
    at += paddedLength(row);
  });
  const bands = kernels.exports.allocate(words.byteLength);
  new Int32Array(kernels.exports.memory.buffer, bands, words.length).set(words);
  return { count: rows.length, bands, weights: kernels.copyFloats(weights).pointer };
}

function createTriangle(leftHz: number, centreHz: number, rightHz: number, binHz: number): BandRow {
  const firstBin = Math.floor(leftHz / binHz) + 1;
  const endBin = Math.ceil(rightHz / binHz);
  const weights = Float64Array.from({ length: endBin - firstBin }, (_, k) => {
    const hz = (firstBin + k) * binHz;
    return Math.min((hz - leftHz) / (centreHz - leftHz), (rightHz - hz) / (rightHz - centreHz));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0) + SUM_FLOOR;
  return { firstBin, weights: weights.map((weight) => weight / sum) };
}

const MEL_BREAK_HZ = 1000;
const HZ_PER_MEL = 200 / 3;
const MEL_AT_BREAK = MEL_BREAK_HZ / HZ_PER_MEL;
/** 27 mels from 1 kHz to 6.4 kHz. */
const LOG_STEP = Math.log(6.4) / 27;

function hzToMel(hz: number): number {
  return hz < MEL_BREAK_HZ ? hz / HZ_PER_MEL : MEL_AT_BREAK + Math.log(hz / MEL_BREAK_HZ) / LOG_STEP;
}

function melToHz(mel: number): number {
  return mel < MEL_AT_BREAK ? mel * HZ_PER_MEL : MEL_BREAK_HZ * Math.exp(LOG_STEP * (mel - MEL_AT_BREAK));
}
