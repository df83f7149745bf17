/**
 * The layers of the beat network, with their weights in kernel memory. Shapes, names: engine/models/README.md; paper: beat-network.ts.
 *
 * Rows, inputs and outputs are addresses in kernel memory; widths are in values.
 */

import { convolveFixed, createFixedRows, packFixedConvolution } from './fixed-convolution.ts';
import { ModelError } from './model-error.ts';
import { getTensor, type ModelFile } from './model-file.ts';
import type { NetworkKernels } from './network-kernels.ts';
import {
  BLOCK_CHANNELS,
  convolveFloats,
  type PackedConvolution,
  packConvolution,
  padChannels,
  type WeightAxes,
} from './packed-convolution.ts';
import type { RowLayer } from './row-layer.ts';

export type BeatLayers = {
  bandCount: number;
  /** Input value = log1p(gain · magnitude) · scale + offset. */
  gain: number;
  scale: number;
  offset: number;
  conv1: RowLayer;
  conv2: RowLayer;
  conv3: RowLayer;
  blocks: RowLayer[];
  head: RowLayer;
};

type Sizes = {
  bandCount: number;
  gain: number;
  frontChannels: number;
  channels: number;
  kernelFrames: number;
  dilations: number[];
  outputCount: number;
};

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const WORD_BYTES = Int16Array.BYTES_PER_ELEMENT;
const POOL_BANDS = 3;

/** Memory shared by all layers: each finishes with it before the next one computes. */
type Scratch = {
  /** Address of the floats. */
  floats: number;
  /** Converts values to 16-bit numbers and returns their address. */
  toFixed: (input: number, count: number) => number;
};

export function loadBeatLayers(
  kernels: NetworkKernels,
  model: ModelFile,
  outputs: readonly string[],
  rowsMax: number,
): BeatLayers {
  const sizes = readSizes(model, outputs);
  const { bandCount } = sizes;
  const scratch = createScratch(kernels, sizes, rowsMax);
  return {
    bandCount,
    gain: sizes.gain,
    scale: getTensor(model, 'input.scale', [1])[0]!,
    offset: getTensor(model, 'input.offset', [1])[0]!,
    conv1: loadConv1(kernels, model, sizes, scratch),
    conv2: loadConv2(kernels, model, sizes, scratch),
    conv3: loadConv3(kernels, model, sizes),
    blocks: sizes.dilations.map((dilation, index) =>
      loadBlock(kernels, model, sizes, `block${index}`, dilation, scratch),
    ),
    head: loadHead(kernels, model, sizes, scratch),
  };
}

function createScratch(kernels: NetworkKernels, sizes: Sizes, rowsMax: number): Scratch {
  const { bandCount, kernelFrames } = sizes;
  const width = padChannels(sizes.channels);
  const frontWidth = padChannels(sizes.frontChannels);
  const reachRowsMax = 2 * Math.max(...sizes.dilations) * ((kernelFrames - 1) / 2);
  return {
    floats: kernels.allocateFloats(Math.max(rowsMax * 2 * width, bandCount * frontWidth)).pointer,
    toFixed: createFixedRows(
      kernels,
      Math.max(
        (rowsMax + 2 * reachRowsMax) * width,
        rowsMax * 2 * width,
        (rowsMax + 2) * conv2RowFloats(bandCount, frontWidth),
      ),
    ),
  };
}

/** Input of the second convolution: bands side by side, with a zero band at either end for its padding. */
function conv2RowFloats(bandCount: number, frontWidth: number): number {
  return (bandCount / POOL_BANDS + 2) * frontWidth;
}

/** 3×3 over (time, band), then the maximum of three bands. In floats, since 16-bit arithmetic is no faster for nine products per output. */
function loadConv1(
  kernels: NetworkKernels,
  model: ModelFile,
  { bandCount, frontChannels }: Sizes,
  { floats }: Scratch,
): RowLayer {
  const outWidth = padChannels(frontChannels);
  const axes = { out: frontChannels, channel: 1, tap: 3, band: 3 };
  const convolution = packConvolution(kernels, ...readLayer(model, 'conv1', axes), 1);
  const rowFloats = bandCount + 2;
  const outRowFloats = conv2RowFloats(bandCount, outWidth);
  return {
    rowFloats,
    reachRows: 1,
    compute(past, rowCount, out) {
      for (let row = 0; row < rowCount; row++) {
        const window = past + row * rowFloats * BYTES;
        convolveFloats(kernels, convolution, window, 1, bandCount, rowFloats, floats, outWidth);
        const target = out + (row * outRowFloats + outWidth) * BYTES;
        kernels.exports.poolThreeAndElu(floats, target, bandCount / POOL_BANDS, outWidth);
      }
    },
  };
}

/** 3×3 over (time, band) of all channels, then the maximum of three bands. Its output rows have no zero bands. */
function loadConv2(
  kernels: NetworkKernels,
  model: ModelFile,
  { bandCount, frontChannels }: Sizes,
  { floats, toFixed }: Scratch,
): RowLayer {
  const width = padChannels(frontChannels);
  const axes = { out: frontChannels, channel: frontChannels, tap: 3, band: 3 };
  const convolution = packFixedConvolution(kernels, ...readLayer(model, 'conv2', axes), width);
  const rowFloats = conv2RowFloats(bandCount, width);
  const inBands = bandCount / POOL_BANDS;
  const outBands = inBands / POOL_BANDS;
  return {
    rowFloats,
    reachRows: 1,
    compute(past, rowCount, out) {
      const rows = toFixed(past, (rowCount + 2) * rowFloats);
      for (let row = 0; row < rowCount; row++) {
        const window = rows + row * rowFloats * WORD_BYTES;
        convolveFixed(kernels, convolution, window, width, inBands, rowFloats, floats, width);
        kernels.exports.poolThreeAndElu(floats, out + row * outBands * width * BYTES, outBands, width);
      }
    },
  };
}

/** All bands to one frame of channels. */
function loadConv3(kernels: NetworkKernels, model: ModelFile, sizes: Sizes): RowLayer {
  const { frontChannels, channels, bandCount } = sizes;
  const inWidth = padChannels(frontChannels);
  const width = padChannels(channels);
  const bands = bandCount / POOL_BANDS ** 2;
  const axes = { out: channels, channel: frontChannels, band: bands };
  const convolution = packConvolution(kernels, ...readLayer(model, 'conv3', axes), inWidth);
  const rowFloats = bands * inWidth;
  return {
    rowFloats,
    reachRows: 0,
    compute(past, rowCount, out) {
      convolveFloats(kernels, convolution, past, rowFloats, rowCount, 0, out, width);
      kernels.exports.applyElu(out, out, rowCount * width, 0);
    },
  };
}

/** x + mix(ELU(near(x), far(x))), with `near` dilated by d and `far` by 2d. */
function loadBlock(
  kernels: NetworkKernels,
  model: ModelFile,
  sizes: Sizes,
  name: string,
  dilation: number,
  { floats, toFixed }: Scratch,
): RowLayer {
  const { channels, kernelFrames } = sizes;
  const width = padChannels(channels);
  const dilated = { out: channels, channel: channels, tap: kernelFrames };
  const near = packFixedConvolution(kernels, ...readLayer(model, `${name}.near`, dilated), width);
  const far = packFixedConvolution(kernels, ...readLayer(model, `${name}.far`, dilated), width);
  // 1×1 over both branches, which are laid out in a row like two bands, each padded to whole blocks.
  const both = { out: channels, band: 2, channel: channels };
  const mixed = readLayer(model, `${name}.out`, both, [channels, 2 * channels]);
  const mix = packFixedConvolution(kernels, ...mixed, width);
  const nearReachRows = dilation * ((kernelFrames - 1) / 2);
  const reachRows = 2 * nearReachRows;
  const rowBytes = width * BYTES;
  return {
    rowFloats: width,
    reachRows,
    compute(past, rowCount, out) {
      const rows = toFixed(past, (rowCount + 2 * reachRows) * width);
      const nearPast = rows + (reachRows - nearReachRows) * width * WORD_BYTES;
      convolveFixed(kernels, near, nearPast, width, rowCount, dilation * width, floats, 2 * width);
      convolveFixed(kernels, far, rows, width, rowCount, 2 * dilation * width, floats + rowBytes, 2 * width);
      kernels.exports.applyElu(floats, floats, rowCount * 2 * width, 0);
      const branches = toFixed(floats, rowCount * 2 * width);
      convolveFixed(kernels, mix, branches, 2 * width, rowCount, 0, out, width);
      kernels.exports.addInto(out, past + reachRows * rowBytes, rowCount * width);
    },
  };
}

function loadHead(
  kernels: NetworkKernels,
  model: ModelFile,
  { channels, outputCount }: Sizes,
  { floats }: Scratch,
): RowLayer {
  const width = padChannels(channels);
  const load = (name: string, outCount: number): PackedConvolution =>
    packConvolution(kernels, ...readLayer(model, name, { out: outCount, channel: channels }), channels);
  const hidden = load('hidden', channels);
  const output = load('output', outputCount);
  return {
    rowFloats: width,
    reachRows: 0,
    compute(past, rowCount, out) {
      // `past` is this layer's own copy of its input, so it may be overwritten.
      kernels.exports.applyElu(past, past, rowCount * width, 0);
      convolveFloats(kernels, hidden, past, width, rowCount, 0, floats, width);
      kernels.exports.applyElu(floats, floats, rowCount * width, 0);
      convolveFloats(kernels, output, floats, width, rowCount, 0, out, BLOCK_CHANNELS);
    },
  };
}

/** Weights, bias and axes of a layer, as the packing functions take them; `shape` is that of its weights in the model file. */
function readLayer(
  model: ModelFile,
  name: string,
  axes: WeightAxes,
  shape: readonly number[] = Object.values(axes),
): [Float32Array, Float32Array, WeightAxes] {
  return [getTensor(model, `${name}.weight`, shape), getTensor(model, `${name}.bias`, [axes.out]), axes];
}

function readSizes(model: ModelFile, expectedOutputs: readonly string[]): Sizes {
  const { kind, input, frontChannels, channels, kernel, dilations, outputs } = model.architecture as {
    kind?: unknown;
    input?: { bands?: unknown; gain?: unknown };
    [name: string]: unknown;
  };
  const bandCount = input?.bands;
  const gain = input?.gain;
  const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
  if (
    kind !== 'beat-tcn' ||
    !isCount(bandCount) ||
    bandCount % POOL_BANDS ** 2 !== 0 ||
    typeof gain !== 'number' ||
    !isCount(frontChannels) ||
    !isCount(channels) ||
    !isCount(kernel) ||
    kernel % 2 !== 1 ||
    !Array.isArray(dilations) ||
    !dilations.every(isCount) ||
    !Array.isArray(outputs)
  ) {
    throw new ModelError(`model ${model.provenance.name} is not a beat network this engine supports`);
  }
  if (outputs.join() !== expectedOutputs.join()) {
    throw new ModelError(
      `model ${model.provenance.name} has the outputs [${outputs}], expected [${expectedOutputs}]`,
    );
  }
  return {
    ...{ bandCount, gain, frontChannels, channels, dilations },
    kernelFrames: kernel,
    outputCount: outputs.length,
  };
}
