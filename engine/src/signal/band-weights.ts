/**
 * Triangular band weights over the bins of a magnitude spectrum: how many bins become few bands.
 *
 * The two sets are those the networks were trained on, so their formulas are fixed: mel bands for rhythm and timbre,
 * half-semitone bands for pitch. Each band's weights sum to one, so a band holds a mean magnitude.
 */

import type { Kernels } from './kernels.ts';

/** The weights of one band; bins outside have none. */
export type BandRow = { firstBin: number; weights: Float64Array };

/** Bands in kernel memory. */
export type BandTable = { count: number; bands: number; weights: number };

/** Prevents a division by zero for a band without any bin; far below what single precision resolves beside one. */
const SUM_FLOOR = 1e-9;

/**
 * Slaney's mel scale: linear below 1 kHz, logarithmic above (Auditory Toolbox, Apple TR 1998). A low band narrower than the
 * spacing of the bins is widened to it, so that none falls between two bins.
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
  return Array.from({ length: bandCount }, (_, band) => {
    const centreHz = edgesHz[band + 1]!;
    const leftHz = Math.min(edgesHz[band]!, centreHz - binHz);
    const rightHz = Math.max(edgesHz[band + 2]!, centreHz + binHz);
    return createTriangle(leftHz, centreHz, rightHz, binHz, fftSize / 2);
  });
}

/** In hertz: band b reaches from edge b over its centre, edge b + 1, to edge b + 2. */
export function listMelEdges(options: { bandCount: number; lowHz: number; highHz: number }): number[] {
  const { bandCount, lowHz, highHz } = options;
  const lowMel = hzToMel(lowHz);
  const stepMel = (hzToMel(highHz) - lowMel) / (bandCount + 1);
  return Array.from({ length: bandCount + 2 }, (_, index) => melToHz(lowMel + stepMel * index));
}

/** Bands in equal steps of the octave, each reaching to its neighbour's centre or one bin, whichever is wider. */
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
    return createTriangle(centreHz - widthHz, centreHz, centreHz + widthHz, binHz, fftSize / 2);
  });
}

/** Lays the weights out for the `sumBands` kernel, which takes them four at a time. */
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
  const weightsPointer = kernels.copyFloats(weights).pointer;
  const bands = kernels.exports.allocate(words.byteLength);
  new Int32Array(kernels.exports.memory.buffer, bands, words.length).set(words);
  return { count: rows.length, bands, weights: weightsPointer };
}

function createTriangle(
  leftHz: number,
  centreHz: number,
  rightHz: number,
  binHz: number,
  lastBin: number,
): BandRow {
  const firstBin = Math.max(0, Math.floor(leftHz / binHz) + 1);
  const endBin = Math.min(lastBin, Math.ceil(rightHz / binHz) - 1) + 1;
  const weights = Float64Array.from({ length: Math.max(0, endBin - firstBin) }, (_, k) => {
    const hz = (firstBin + k) * binHz;
    return Math.min((hz - leftHz) / (centreHz - leftHz), (rightHz - hz) / (rightHz - centreHz));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0) + SUM_FLOOR;
  return { firstBin, weights: weights.map((weight) => weight / sum) };
}

const MEL_BREAK_HZ = 1000;
const HZ_PER_MEL = 200 / 3;
const MEL_AT_BREAK = MEL_BREAK_HZ / HZ_PER_MEL;
/** 27 steps from the break to 6.4 times its frequency. */
const LOG_STEP = Math.log(6.4) / 27;

function hzToMel(hz: number): number {
  return hz < MEL_BREAK_HZ ? hz / HZ_PER_MEL : MEL_AT_BREAK + Math.log(hz / MEL_BREAK_HZ) / LOG_STEP;
}

function melToHz(mel: number): number {
  return mel < MEL_AT_BREAK ? mel * HZ_PER_MEL : MEL_BREAK_HZ * Math.exp(LOG_STEP * (mel - MEL_AT_BREAK));
}
