/**
 * The layers of the beat network, with their weights in kernel memory. Shapes and names: engine/models/README.md; the paper: beat-network.ts.
 *
 * Rows, inputs and outputs are addresses in kernel memory; widths are in floats.
 */

import { ParameterError } from '../parameter-error.ts';
import {
  convolveFixed,
  createFixedRows,
  type FixedConvolution,
  packFixedConvolution,
} from './fixed-convolution.ts';
import { getTensor, type ModelFile } from './model-file.ts';
import type { NetworkKernels } from './network-kernels.ts';
import {
  BLOCK_CHANNELS,
  convolveFloats,
  type PackedConvolution,
  packConvolution,
  padChannels,
} from './packed-convolution.ts';
import type { RowLayer } from './row-layer.ts';

export type BeatLayers = {
  bandCount: number;
  /** Input value = log1p(gain · magnitude) · scale + offset. */
  gain: number;
  scale: number;
  offset: number;
  front1: RowLayer;
  front2: RowLayer;
  front3: RowLayer;
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

/** Memory that every layer may use while it computes; a layer is done with it before it calls the next. */
type Scratch = {
  floats: number;
  /** Converts rows to 16-bit numbers and returns their address. */
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
    front1: loadFirstBands(kernels, model, sizes, scratch),
    front2: loadSecondBands(kernels, model, sizes, scratch),
    front3: loadBandsToFrame(kernels, model, sizes),
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
  const reachMax = 2 * Math.max(...sizes.dilations) * ((kernelFrames - 1) / 2);
  return {
    floats: kernels.allocateFloats(Math.max(rowsMax * 2 * width, bandCount * frontWidth)).pointer,
    toFixed: createFixedRows(
      kernels,
      Math.max(
        (rowsMax + 2 * reachMax) * width,
        rowsMax * 2 * width,
        (rowsMax + 2) * secondRowFloats(bandCount, frontWidth),
      ),
    ),
  };
}

/** Bands lie side by side in a row, with a zero band at either end. */
function secondRowFloats(bandCount: number, frontWidth: number): number {
  return (bandCount / POOL_BANDS + 2) * frontWidth;
}

/** 3×3 over (time, band), then the largest of three bands. In floats: nine products an output are too few to gain by whole numbers. */
function loadFirstBands(
  kernels: NetworkKernels,
  model: ModelFile,
  { bandCount, frontChannels }: Sizes,
  { floats }: Scratch,
): RowLayer {
  const outWidth = padChannels(frontChannels);
  const convolution = packConvolution(
    kernels,
    getTensor(model, 'conv1.weight', [frontChannels, 1, 3, 3]),
    getTensor(model, 'conv1.bias', [frontChannels]),
    [
      ['out', frontChannels],
      ['tap', 3],
      ['band', 3],
    ],
    1,
  );
  const rowFloats = bandCount + 2;
  const outRowFloats = secondRowFloats(bandCount, outWidth);
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

/** The same on the channels of the first; its output rows have no zero bands. */
function loadSecondBands(
  kernels: NetworkKernels,
  model: ModelFile,
  { bandCount, frontChannels }: Sizes,
  { floats, toFixed }: Scratch,
): RowLayer {
  const width = padChannels(frontChannels);
  const convolution = packFixedConvolution(
    kernels,
    getTensor(model, 'conv2.weight', [frontChannels, frontChannels, 3, 3]),
    getTensor(model, 'conv2.bias', [frontChannels]),
    [
      ['out', frontChannels],
      ['channel', frontChannels],
      ['tap', 3],
      ['band', 3],
    ],
    width,
  );
  const rowFloats = secondRowFloats(bandCount, width);
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

function loadBandsToFrame(kernels: NetworkKernels, model: ModelFile, sizes: Sizes): RowLayer {
  const { frontChannels, channels, bandCount } = sizes;
  const inWidth = padChannels(frontChannels);
  const width = padChannels(channels);
  const bands = bandCount / POOL_BANDS ** 2;
  const convolution = packConvolution(
    kernels,
    getTensor(model, 'conv3.weight', [channels, frontChannels, bands]),
    getTensor(model, 'conv3.bias', [channels]),
    [
      ['out', channels],
      ['channel', frontChannels],
      ['band', bands],
    ],
    inWidth,
  );
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

/** x + mix(ELU(near(x), far(x))), near and far dilated by d and 2d. */
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
  const near = loadDilated(kernels, model, `${name}.near`, sizes);
  const far = loadDilated(kernels, model, `${name}.far`, sizes);
  const mix = loadMix(kernels, model, `${name}.out`, channels);
  const nearReach = dilation * ((kernelFrames - 1) / 2);
  const reachRows = 2 * nearReach;
  const rowBytes = width * BYTES;
  return {
    rowFloats: width,
    reachRows,
    compute(past, rowCount, out) {
      const rows = toFixed(past, (rowCount + 2 * reachRows) * width);
      const nearPast = rows + (reachRows - nearReach) * width * WORD_BYTES;
      convolveFixed(kernels, near, nearPast, width, rowCount, dilation * width, floats, 2 * width);
      convolveFixed(kernels, far, rows, width, rowCount, 2 * dilation * width, floats + rowBytes, 2 * width);
      kernels.exports.applyElu(floats, floats, rowCount * 2 * width, 0);
      const both = toFixed(floats, rowCount * 2 * width);
      convolveFixed(kernels, mix, both, 2 * width, rowCount, 0, out, width);
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
  const hidden = loadDense(kernels, model, 'hidden', channels, channels);
  const output = loadDense(kernels, model, 'output', outputCount, channels);
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

function loadDilated(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  sizes: Sizes,
): FixedConvolution {
  const { channels, kernelFrames } = sizes;
  return packFixedConvolution(
    kernels,
    getTensor(model, `${name}.weight`, [channels, channels, kernelFrames]),
    getTensor(model, `${name}.bias`, [channels]),
    [
      ['out', channels],
      ['channel', channels],
      ['tap', kernelFrames],
    ],
    padChannels(channels),
  );
}

/** A 1×1 layer over a row of two branches, laid out like two bands, each padded to whole blocks. */
function loadMix(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  channels: number,
): FixedConvolution {
  return packFixedConvolution(
    kernels,
    getTensor(model, `${name}.weight`, [channels, 2 * channels]),
    getTensor(model, `${name}.bias`, [channels]),
    [
      ['out', channels],
      ['band', 2],
      ['channel', channels],
    ],
    padChannels(channels),
  );
}

function loadDense(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  outCount: number,
  channels: number,
): PackedConvolution {
  return packConvolution(
    kernels,
    getTensor(model, `${name}.weight`, [outCount, channels]),
    getTensor(model, `${name}.bias`, [outCount]),
    [
      ['out', outCount],
      ['channel', channels],
    ],
    channels,
  );
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
    throw new ParameterError(`model ${model.provenance.name} is not a beat network this engine knows`);
  }
  if (outputs.join() !== expectedOutputs.join()) {
    throw new ParameterError(
      `model ${model.provenance.name} has the outputs [${outputs}], expected [${expectedOutputs}]`,
    );
  }
  return {
    ...{ bandCount, gain, frontChannels, channels, dilations },
    kernelFrames: kernel,
    outputCount: outputs.length,
  };
}
