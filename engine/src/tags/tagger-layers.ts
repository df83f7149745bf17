/** The layers of a tagger, with their weights in kernel memory. Shapes and names: engine/models/README.md. */

import { type FixedConvolution, packFixedConvolution } from '../learned/fixed-convolution.ts';
import { ModelError } from '../learned/model-error.ts';
import { getTensor, type ModelFile } from '../learned/model-file.ts';
import type { NetworkKernels } from '../learned/network-kernels.ts';
import {
  type PackedConvolution,
  packChannels,
  packConvolution,
  padChannels,
} from '../learned/packed-convolution.ts';

export const BAND_COUNT = 96;
/**
 * Makes use of the range of the 16-bit numbers that the filters read, ±64 in steps of 1/512: the input itself stays within ±16, and its steps become
 * 1/2048.
 */
const INPUT_GAIN = 4;
/** Frames that the tall filters and the layers in time span. */
export const TIME_TAPS = 7;

export type TaggerSizes = {
  frameCount: number;
  mel: 'slaney' | 'htk';
  logarithm: 'compressed' | 'decibel';
  /** Whether the long filters read each band, keeping the largest response, or the mean of all bands. */
  longOver: 'bands' | 'mean';
  /** The tall filters are applied at every band (1) or at every second one (2). */
  bandStep: number;
  /** Filters, frames, bands. */
  tall: [filters: number, frames: number, bands: number][];
  /** Filters, frames. */
  long: [filters: number, frames: number][];
  channels: number;
  hidden: number;
  tags: string[];
};

/**
 * Addresses of one `sense` and one `shift` per filter. Its response is clipped at zero, negative values where `sense` is 1 and positive ones where
 * it is −1, and then `shift` is added.
 */
export type Rectifier = { sense: number; shift: number };

export type TallBank = Rectifier & { filterCount: number; bandCount: number; convolution: FixedConvolution };
export type LongBank = Rectifier & { filterCount: number; tapCount: number } & (
    | { over: 'bands'; convolution: FixedConvolution }
    | { over: 'mean'; convolution: PackedConvolution }
  );
export type TimeLayer = { shift: number; convolution: PackedConvolution };

export type TaggerLayers = {
  sizes: TaggerSizes;
  /** From the logarithms of the bands to the input of the filters. */
  scale: number;
  offset: number;
  tall: TallBank[];
  long: LongBank[];
  /** Filters of all banks. */
  frontCount: number;
  time: TimeLayer[];
  dense: PackedConvolution;
  tags: PackedConvolution;
};

export function loadTaggerLayers(kernels: NetworkKernels, model: ModelFile): TaggerLayers {
  const sizes = readSizes(model);
  const tall = sizes.tall.map((size, index) => loadTallBank(kernels, model, `tall${index}`, size));
  const long = sizes.long.map((size, index) =>
    loadLongBank(kernels, model, `long${index}`, size, sizes.longOver),
  );
  const frontCount = [...tall, ...long].reduce((sum, { filterCount }) => sum + filterCount, 0);
  return {
    sizes,
    scale: INPUT_GAIN * getTensor(model, 'input.scale', [1])[0]!,
    offset: INPUT_GAIN * getTensor(model, 'input.offset', [1])[0]!,
    tall,
    long,
    frontCount,
    time: [0, 1, 2].map((k) => loadTimeLayer(kernels, model, sizes, k, frontCount)),
    ...loadHead(kernels, model, sizes, frontCount),
  };
}

function loadTallBank(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  [filterCount, tapCount, bandCount]: TaggerSizes['tall'][number],
): TallBank {
  const convolution = packFixedConvolution(
    kernels,
    getTensor(model, `${name}.weight`, [filterCount, tapCount, bandCount]),
    getTensor(model, `${name}.bias`, [filterCount]),
    { out: filterCount, tap: tapCount, channel: bandCount },
    // The kernel takes inner values in pairs, so an odd number of bands is padded with a band of zeros.
    bandCount + (bandCount % 2),
    loadFilterScale(model, name, filterCount),
  );
  return { filterCount, bandCount, ...loadRectifier(kernels, model, name, filterCount), convolution };
}

function loadLongBank(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  [filterCount, tapCount]: TaggerSizes['long'][number],
  over: TaggerSizes['longOver'],
): LongBank {
  const weights = getTensor(model, `${name}.weight`, [filterCount, tapCount]);
  const bias = getTensor(model, `${name}.bias`, [filterCount]);
  const axes = { out: filterCount, channel: tapCount };
  const out = loadFilterScale(model, name, filterCount);
  const bank = { filterCount, tapCount, ...loadRectifier(kernels, model, name, filterCount) };
  return over === 'bands'
    ? { ...bank, over, convolution: packFixedConvolution(kernels, weights, bias, axes, tapCount, out) }
    : { ...bank, over, convolution: packConvolution(kernels, weights, bias, axes, tapCount, { out }) };
}

function loadRectifier(
  kernels: NetworkKernels,
  model: ModelFile,
  name: string,
  filterCount: number,
): Rectifier {
  const copy = (part: string): number =>
    kernels.copyFloats(getTensor(model, `${name}.${part}`, [filterCount])).pointer;
  return { sense: copy('sense'), shift: copy('shift') };
}

function loadFilterScale(model: ModelFile, name: string, filterCount: number): Float32Array {
  return getTensor(model, `${name}.scale`, [filterCount]).map((value) => value / INPUT_GAIN);
}

function loadTimeLayer(
  kernels: NetworkKernels,
  model: ModelFile,
  { channels }: TaggerSizes,
  index: number,
  frontCount: number,
): TimeLayer {
  const name = `time${index}`;
  const inCount = index === 0 ? frontCount : channels;
  const width = padChannels(index === 0 ? frontCount + 1 : channels);
  const out = getTensor(model, `${name}.scale`, [channels]);
  const axesOf = (inner: number) => ({ out: channels, channel: inner, tap: TIME_TAPS });
  const convolution = packConvolution(
    kernels,
    getTensor(model, `${name}.weight`, [channels, inCount, TIME_TAPS]),
    getTensor(model, `${name}.bias`, [channels]),
    axesOf(inCount),
    width,
    { out },
  );
  if (index === 0) {
    // The filters that were pruned because their output is constant: one channel that is 1 inside the patch and 0 in the padding.
    const constant = getTensor(model, 'time0.constant', [channels * TIME_TAPS]);
    packChannels(kernels, convolution, constant, axesOf(1), width, inCount, { out });
  }
  return { shift: kernels.copyFloats(getTensor(model, `${name}.shift`, [channels])).pointer, convolution };
}

function loadHead(
  kernels: NetworkKernels,
  model: ModelFile,
  { channels, hidden, tags }: TaggerSizes,
  frontCount: number,
): Pick<TaggerLayers, 'dense' | 'tags'> {
  const pooledCount = 2 * (frontCount + 3 * channels);
  const load = (name: string, out: number, inner: number, scale?: Float32Array) =>
    packConvolution(
      kernels,
      getTensor(model, `${name}.weight`, [out, inner]),
      getTensor(model, `${name}.bias`, [out]),
      { out, channel: inner },
      inner,
      { inner: getTensor(model, `${name}.gain`, [inner]), out: scale },
    );
  return {
    dense: load('dense', hidden, pooledCount, getTensor(model, 'dense.scale', [hidden])),
    tags: load('tags', tags.length, hidden),
  };
}

function readSizes({ architecture, provenance }: ModelFile): TaggerSizes {
  if (architecture.kind !== 'tagger') throw new ModelError(`${provenance.name} is not a tagger`);
  const { frames, ...rest } = architecture as TaggerSizes & { frames: number };
  const heights = rest.tall.map(([, , bands]) => bands);
  if (heights.some((bands) => bands > BAND_COUNT) || rest.long.some(([, taps]) => taps > frames)) {
    throw new ModelError(`${provenance.name}: a filter is larger than a patch`);
  }
  return { ...rest, frameCount: frames };
}
