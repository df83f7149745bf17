/** The layers of the beat network, with their weights in kernel memory. Shapes and names: engine/models/README.md. */

import { ParameterError } from '../parameter-error.ts';
import type { NetworkKernels } from './layers.ts';
import { getTensor, type ModelFile } from './model-file.ts';
import {
  BLOCK_CHANNELS,
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
};

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const POOL_BANDS = 3;

export function loadBeatLayers(kernels: NetworkKernels, model: ModelFile, rowsMax: number): BeatLayers {
  const sizes = readSizes(model);
  const { bandCount, channels } = sizes;
  const width = padChannels(channels);
  // One scratch serves every layer: none calls another before it is done with it.
  const scratch = kernels.allocateFloats(
    Math.max(rowsMax * 2 * width, bandCount * padChannels(sizes.frontChannels)),
  ).pointer;
  return {
    bandCount,
    gain: sizes.gain,
    scale: getTensor(model, 'input.scale', [1])[0]!,
    offset: getTensor(model, 'input.offset', [1])[0]!,
    front1: loadBandLayer(kernels, model, 'conv1', { sizes, inChannels: 1, bandCount, scratch }),
    front2: loadBandLayer(kernels, model, 'conv2', {
      sizes,
      inChannels: sizes.frontChannels,
      bandCount: bandCount / POOL_BANDS,
      scratch,
    }),
    front3: loadBandsToFrame(kernels, model, sizes),
    blocks: sizes.dilations.map((dilation, index) =>
      loadBlock(kernels, model, sizes, `block${index}`, dilation, scratch),
    ),
    head: loadHead(kernels, model, sizes, scratch),
  };
}

/** 3×3 over (time, band), then the largest of three bands. Bands lie side by side in a row, with a zero band at either end. */
function loadBandLayer(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  shape: { sizes: Sizes; inChannels: number; bandCount: number; scratch: number },
): RowLayer {
  const { inChannels, bandCount, scratch } = shape;
  const { frontChannels } = shape.sizes;
  const inWidth = inChannels === 1 ? 1 : padChannels(inChannels);
  const outWidth = padChannels(frontChannels);
  const weights = getTensor(model, `${name}.weight`, [frontChannels, inChannels, 3, 3]);
  const convolution = packConvolution(
    kernels,
    { outCount: frontChannels, tapCount: 3, innerCount: 3 * inWidth },
    getTensor(model, `${name}.bias`, [frontChannels]),
    (out, time, inner) => {
      const channel = inner % inWidth;
      const band = Math.floor(inner / inWidth);
      return channel < inChannels ? weights[((out * inChannels + channel) * 3 + time) * 3 + band]! : 0;
    },
  );
  const rowFloats = (bandCount + 2) * inWidth;
  const pooledBands = bandCount / POOL_BANDS;
  // The first of these layers feeds the second, whose rows have a zero band at either end; the second feeds rows without.
  const edgeBands = inChannels === 1 ? 1 : 0;
  const outRowFloats = (pooledBands + 2 * edgeBands) * outWidth;
  return {
    rowFloats,
    reachRows: 1,
    compute(past, rowCount, out) {
      for (let row = 0; row < rowCount; row++) {
        const window = past + row * rowFloats * BYTES;
        convolve(kernels, convolution, window, inWidth, bandCount, rowFloats, scratch, outWidth);
        const target = out + (row * outRowFloats + edgeBands * outWidth) * BYTES;
        kernels.exports.poolThreeAndElu(scratch, target, pooledBands, outWidth);
      }
    },
  };
}

function loadBandsToFrame(kernels: NetworkKernels, model: ModelFile, sizes: Sizes): RowLayer {
  const { frontChannels, channels, bandCount } = sizes;
  const inWidth = padChannels(frontChannels);
  const width = padChannels(channels);
  const bands = bandCount / POOL_BANDS ** 2;
  const weights = getTensor(model, 'conv3.weight', [channels, frontChannels, bands]);
  const convolution = packConvolution(
    kernels,
    { outCount: channels, tapCount: 1, innerCount: bands * inWidth },
    getTensor(model, 'conv3.bias', [channels]),
    (out, _, inner) => {
      const channel = inner % inWidth;
      const band = Math.floor(inner / inWidth);
      return channel < frontChannels ? weights[(out * frontChannels + channel) * bands + band]! : 0;
    },
  );
  const rowFloats = bands * inWidth;
  return {
    rowFloats,
    reachRows: 0,
    compute(past, rowCount, out) {
      convolve(kernels, convolution, past, rowFloats, rowCount, 0, out, width);
      kernels.exports.applyElu(out, out, rowCount * width);
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
  scratch: number,
): RowLayer {
  const { channels, kernelFrames } = sizes;
  const width = padChannels(channels);
  const near = loadDilated(kernels, model, `${name}.near`, sizes);
  const far = loadDilated(kernels, model, `${name}.far`, sizes);
  const mix = loadDense(kernels, model, `${name}.out`, channels, 2, channels);
  const nearReach = dilation * ((kernelFrames - 1) / 2);
  const reachRows = 2 * nearReach;
  const rowBytes = width * BYTES;
  return {
    rowFloats: width,
    reachRows,
    compute(past, rowCount, out) {
      const nearPast = past + (reachRows - nearReach) * rowBytes;
      convolve(kernels, near, nearPast, width, rowCount, dilation * width, scratch, 2 * width);
      convolve(kernels, far, past, width, rowCount, 2 * dilation * width, scratch + rowBytes, 2 * width);
      kernels.exports.applyElu(scratch, scratch, rowCount * 2 * width);
      convolve(kernels, mix, scratch, 2 * width, rowCount, 0, out, width);
      kernels.exports.addInto(out, past + reachRows * rowBytes, rowCount * width);
    },
  };
}

function loadHead(kernels: NetworkKernels, model: ModelFile, sizes: Sizes, scratch: number): RowLayer {
  const { channels } = sizes;
  const width = padChannels(channels);
  const hidden = loadDense(kernels, model, 'hidden', channels, 1, channels);
  const output = loadDense(kernels, model, 'output', 2, 1, channels);
  return {
    rowFloats: width,
    reachRows: 0,
    compute(past, rowCount, out) {
      // `past` is this layer's own copy of its input, so it may be overwritten.
      kernels.exports.applyElu(past, past, rowCount * width);
      convolve(kernels, hidden, past, width, rowCount, 0, scratch, width);
      kernels.exports.applyElu(scratch, scratch, rowCount * width);
      convolve(kernels, output, scratch, width, rowCount, 0, out, BLOCK_CHANNELS);
    },
  };
}

function loadDilated(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  sizes: Sizes,
): PackedConvolution {
  const { channels, kernelFrames } = sizes;
  const weights = getTensor(model, `${name}.weight`, [channels, channels, kernelFrames]);
  return packConvolution(
    kernels,
    { outCount: channels, tapCount: kernelFrames, innerCount: channels },
    getTensor(model, `${name}.bias`, [channels]),
    (out, tap, inner) => weights[(out * channels + inner) * kernelFrames + tap]!,
  );
}

/** A 1×1 layer over a row of `branchCount` branches, each padded to whole blocks. */
function loadDense(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  outCount: number,
  branchCount: number,
  channels: number,
): PackedConvolution {
  const width = padChannels(channels);
  const weights = getTensor(model, `${name}.weight`, [outCount, branchCount * channels]);
  return packConvolution(
    kernels,
    { outCount, tapCount: 1, innerCount: branchCount * width },
    getTensor(model, `${name}.bias`, [outCount]),
    (out, _, inner) => {
      const branch = Math.floor(inner / width);
      const channel = inner % width;
      return channel < channels ? weights[(out * branchCount + branch) * channels + channel]! : 0;
    },
  );
}

function convolve(
  kernels: NetworkKernels,
  { weights, bias, tapCount, innerCount, outBlockCount }: PackedConvolution,
  input: number,
  rowStride: number,
  rowCount: number,
  tapStride: number,
  out: number,
  outRowStride: number,
): void {
  kernels.exports.convolveTaps(
    input,
    rowStride,
    rowCount,
    tapStride,
    tapCount,
    innerCount,
    weights,
    bias,
    out,
    outRowStride,
    outBlockCount,
  );
}

function readSizes(model: ModelFile): Sizes {
  const { kind, input, frontChannels, channels, kernel, dilations } = model.architecture as {
    kind?: unknown;
    input?: { bands?: unknown; gain?: unknown };
    [name: string]: unknown;
  };
  const bandCount = input?.bands;
  const gain = input?.gain;
  const whole = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
  if (
    kind !== 'beat-tcn' ||
    !whole(bandCount) ||
    bandCount % POOL_BANDS ** 2 !== 0 ||
    typeof gain !== 'number' ||
    !whole(frontChannels) ||
    !whole(channels) ||
    !whole(kernel) ||
    kernel % 2 !== 1 ||
    !Array.isArray(dilations) ||
    !dilations.every(whole)
  ) {
    throw new ParameterError(`model ${model.provenance.name} is not a beat network this engine knows`);
  }
  return { bandCount, gain, frontChannels, channels, kernelFrames: kernel, dilations };
}
