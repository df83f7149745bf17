/** Twins of the kernels in engine/wasm/assembly/tagger.ts; the layers work on an array in place of kernel memory (learned/layers-twin.ts). */

import type { NetworkKernels } from '../learned/network-kernels.ts';
import { BLOCK_CHANNELS } from '../learned/packed-convolution.ts';
import type { BandRow } from '../signal/band-weights.ts';
import { sumBandsTwin } from '../signal/band-weights-twin.ts';
import { transformRealTwin } from '../signal/fft-twin.ts';

type Layers = NetworkKernels['exports'];

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const WORD_BYTES = Int16Array.BYTES_PER_ELEMENT;

export function taggerLayersOn(
  arena: Float32Array,
  convolveFixed: Layers['convolveFixed'],
): Pick<Layers, 'convolveLargest' | 'rectifyRows' | 'rectifyOnto' | 'poolRows' | 'turnRows' | 'averageRows'> {
  return {
    convolveLargest: (
      input,
      positionStride,
      positionCount,
      rowStride,
      rowCount,
      tapStride,
      tapCount,
      ...rest
    ) => {
      const [innerCount, weights, scales, bias, , out, outRowStride, outBlockCount] = rest;
      const width = outBlockCount * BLOCK_CHANNELS;
      const largest = new Float32Array(rowCount * width).fill(Number.NEGATIVE_INFINITY);
      for (let position = 0; position < positionCount; position++) {
        const from = input + position * positionStride * WORD_BYTES;
        const filters = [weights, scales, bias] as const;
        const layout = [rowStride, rowCount, tapStride, tapCount, innerCount] as const;
        convolveFixed(from, ...layout, ...filters, out, outRowStride, outBlockCount);
        for (let k = 0; k < largest.length; k++) {
          const at = Math.floor(k / width) * outRowStride + (k % width);
          largest[k] = Math.max(largest[k]!, arena[out / BYTES + at]!);
        }
      }
      for (let k = 0; k < largest.length; k++) {
        arena[out / BYTES + Math.floor(k / width) * outRowStride + (k % width)] = largest[k]!;
      }
    },
    rectifyRows: (input, inputWidth, rowCount, sense, shift, count, out, outWidth) => {
      for (let row = 0; row < rowCount; row++) {
        for (let c = 0; c < count; c++) {
          const x = arena[input / BYTES + row * inputWidth + c]!;
          const cut = arena[sense / BYTES + c]! > 0 ? Math.max(x, 0) : Math.min(x, 0);
          arena[out / BYTES + row * outWidth + c] = cut + arena[shift / BYTES + c]!;
        }
      }
    },
    rectifyOnto: (input, rowCount, width, shift, before, out) => {
      for (let k = 0; k < rowCount * width; k++) {
        const cut = Math.fround(Math.max(arena[input / BYTES + k]!, 0) + arena[shift / BYTES + (k % width)]!);
        arena[out / BYTES + k] = cut + (before === 0 ? 0 : arena[before / BYTES + k]!);
      }
    },
    poolRows: (rows, width, rowCount, count, maxima, means) => {
      for (let c = 0; c < count; c++) {
        const values = Array.from({ length: rowCount }, (_, row) => arena[rows / BYTES + row * width + c]!);
        arena[maxima / BYTES + c] = Math.max(...values);
        arena[means / BYTES + c] = values.reduce((sum, value) => sum + value, 0) / rowCount;
      }
    },
    turnRows: (rows, rowCount, width, out, lineFloats) => {
      for (let k = 0; k < rowCount * width; k++) {
        const row = Math.floor(k / width);
        arena[out / BYTES + (k % width) * lineFloats + row] = arena[rows / BYTES + k]!;
      }
    },
    averageRows: (rows, rowCount, width, out) => {
      for (let row = 0; row < rowCount; row++) {
        const first = rows / BYTES + row * width;
        const sum = arena.subarray(first, first + width).reduce((total, value) => total + value, 0);
        arena[out / BYTES + row] = sum / width;
      }
    },
  };
}

/** The twin of `takeBandPowers`, in double precision. */
export function takeBandPowersTwin(
  samples: Float32Array,
  { hopSamples, frameCount, window }: { hopSamples: number; frameCount: number; window: Float32Array },
  bands: BandRow[],
): number[] {
  return Array.from({ length: frameCount }, (_, frame) => {
    const { re, im } = transformRealTwin(
      window.map((weight, n) => weight * samples[frame * hopSamples + n]!),
    );
    return [
      ...sumBandsTwin(
        re.map((value, bin) => value * value + im[bin]! * im[bin]!),
        bands,
      ),
    ];
  }).flat();
}
