/** The kernels of the taggers, and their twins, on the same random input; kernel-twins.slow.test.ts compares them. */

import { packFixedConvolution } from './learned/fixed-convolution.ts';
import { createTwinLayers } from './learned/layers-twin.ts';
import type { NetworkKernels } from './learned/network-kernels.ts';
import { BLOCK_CHANNELS } from './learned/packed-convolution.ts';
import { loadBandTable } from './signal/band-weights.ts';
import { createHannWindow, createRealFft } from './signal/fft.ts';
import { makeNoise } from './signal/test-signals.ts';
import { HOP_SAMPLES, listTriangles, WINDOW_SAMPLES } from './tags/mel-power.ts';
import { takeBandPowersTwin } from './tags/tagger-twin.ts';
import type { Comparison } from './test-signal-comparisons.ts';

const noise = makeNoise(1600, 0.9);
const other = makeNoise(1600, 0.9, 2);
const WINDOW = createHannWindow(WINDOW_SAMPLES);
const FRAME_COUNT = 3;
const ROW_COUNT = 11;
/** Not a multiple of the eight filters that are computed together, as in most banks of the shipped taggers. */
const FILTER_COUNT = 13;
/** Floats in a row. */
const WIDTH = 16;

/** Runs a kernel, or its twin, on the same rows of noise. */
function onRows(run: (kernels: NetworkKernels, rows: number, out: number) => void) {
  return (kernels: NetworkKernels): Float32Array => {
    const rows = kernels.copyFloats(noise);
    const out = kernels.allocateFloats(ROW_COUNT * 2 * WIDTH);
    run(kernels, rows.pointer, out.pointer);
    return out.view.slice();
  };
}

function compareRows(kernels: string[], run: ReturnType<typeof onRows>): Comparison {
  return { kernels, run, twin: () => run(createTwinLayers(20_000)), tolerance: 0 };
}

export const TAGGER_COMPARISONS: Comparison[] = [
  {
    kernels: ['takeBandPowers'],
    run: (kernels) => {
      const fft = createRealFft(kernels, WINDOW_SAMPLES);
      const bands = listTriangles('slaney');
      const table = loadBandTable(kernels, bands);
      const out = kernels.allocateFloats(FRAME_COUNT * bands.length);
      kernels.exports.takeBandPowers(
        fft.plan,
        kernels.copyFloats(noise).pointer,
        HOP_SAMPLES,
        FRAME_COUNT,
        kernels.copyFloats(WINDOW).pointer,
        fft.re.pointer,
        fft.im.pointer,
        table.bands,
        bands.length,
        table.weights,
        out.pointer,
      );
      return out.view;
    },
    twin: () =>
      takeBandPowersTwin(
        noise,
        { hopSamples: HOP_SAMPLES, frameCount: FRAME_COUNT, window: WINDOW },
        listTriangles('slaney'),
      ),
    // Single precision over a few hundred terms.
    tolerance: 1e-6,
  },
  compareRows(
    ['convolveLargest'],
    onRows((kernels, rows, out) => {
      const words = kernels.allocateFloats(noise.length / 2).pointer;
      kernels.exports.toFixedPoint(rows, words, noise.length);
      const responses = kernels.allocateFloats(ROW_COUNT * BLOCK_CHANNELS).pointer;
      const axes = { out: FILTER_COUNT, tap: 3, channel: 6 };
      const tensor = other.subarray(0, axes.out * axes.tap * axes.channel);
      const bias = other.subarray(1000, 1000 + FILTER_COUNT);
      const packed = packFixedConvolution(kernels, tensor, bias, axes, axes.channel);
      const { weightsPointer, scalesPointer, biasPointer, tapCount, innerCount, outBlockCount } = packed;
      const [positionStrideWords, positionCount, rowWords] = [2, 5, 24];
      kernels.exports.convolveLargest(
        ...([words, positionStrideWords, positionCount, rowWords, ROW_COUNT] as const),
        ...([rowWords, tapCount, innerCount, weightsPointer, scalesPointer, biasPointer] as const),
        ...([responses, out, 2 * WIDTH, outBlockCount] as const),
      );
    }),
  ),
  compareRows(
    ['rectifyRows'],
    onRows((kernels, rows, out) => {
      const sense = kernels.copyFloats(other.subarray(0, FILTER_COUNT).map(Math.sign)).pointer;
      const shift = kernels.copyFloats(other.subarray(20, 20 + FILTER_COUNT)).pointer;
      kernels.exports.rectifyRows(rows, WIDTH, ROW_COUNT, sense, shift, FILTER_COUNT, out, 2 * WIDTH);
    }),
  ),
  compareRows(
    ['rectifyOnto'],
    onRows((kernels, rows, out) => {
      const shift = kernels.copyFloats(other.subarray(20, 20 + WIDTH)).pointer;
      const before = kernels.copyFloats(other).pointer;
      kernels.exports.rectifyOnto(rows, ROW_COUNT, WIDTH, shift, before, out);
      const second = out + ROW_COUNT * WIDTH * Float32Array.BYTES_PER_ELEMENT;
      kernels.exports.rectifyOnto(rows, ROW_COUNT, WIDTH, shift, 0, second);
    }),
  ),
  compareRows(
    ['poolRows'],
    onRows((kernels, rows, out) => {
      const means = out + WIDTH * Float32Array.BYTES_PER_ELEMENT;
      kernels.exports.poolRows(rows, WIDTH, ROW_COUNT, FILTER_COUNT, out, means);
    }),
  ),
  compareRows(
    ['turnRows', 'averageRows'],
    onRows((kernels, rows, out) => {
      const lines = kernels.allocateFloats(WIDTH * ROW_COUNT).pointer;
      kernels.exports.turnRows(rows, ROW_COUNT, WIDTH, lines, ROW_COUNT);
      kernels.exports.averageRows(lines, WIDTH, ROW_COUNT, out);
    }),
  ),
];
