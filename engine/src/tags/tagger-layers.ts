/** The layers of a tagger, with their weights in kernel memory. Shapes and names: engine/models/README.md. */

import { type FixedConvolution, packFixedConvolution } from '../learned/fixed-convolution.ts';
import { getTensor, type ModelFile } from '../learned/model-file.ts';
import type { NetworkKernels } from '../learned/network-kernels.ts';
import { type PackedConvolution, packConvolution, padChannels } from '../learned/packed-convolution.ts';
import { ParameterError } from '../parameter-error.ts';

export const BAND_COUNT = 96;
/** The filters read the input this much larger: it stays within ±16, and 16-bit steps of 1/512 become 1/2048 of it. */
const INPUT_GAIN = 4;
/** Frames that the tall filters and the layers in time span. */
export const TIME_TAPS = 7;

export type TaggerSizes = {
  frameCount: number;
  mel: 'slaney' | 'htk';
  logarithm: 'compressed' | 'decibel';
  /** Filters along time read every band, the largest response counting, or the mean of the bands. */
  longOver: 'bands' | 'mean';
  /** The tall filters are tried at every band, or at every second one. */
  bandStep: number;
  /** Filters, frames, bands. */
  tall: [filters: number, frames: number, bands: number][];
  /** Filters, frames. */
  long: [filters: number, frames: number][];
  channels: number;
  hidden: number;
  tags: string[];
};

/** What comes after the sums of a filter: cut off at zero, from below where `sense` is 1, from above where it is −1; then shifted. */
export type Rectifier = { sense: Float32Array | null; shift: Float32Array };

export type TallBank = Rectifier & { filterCount: number; bandCount: number; convolution: FixedConvolution };
export type LongBank = Rectifier & {
  filterCount: number;
  tapCount: number;
  convolution: FixedConvolution | PackedConvolution;
};
export type TimeLayer = Rectifier & { convolution: PackedConvolution };

export type TaggerLayers = {
  sizes: TaggerSizes;
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
  const vector = (name: string, length: number): Float32Array => getTensor(model, name, [length]);
  const tall = sizes.tall.map(([filterCount, taps, bandCount], k): TallBank => {
    const name = `tall${k}`;
    const weights = scaleRows(
      getTensor(model, `${name}.weight`, [filterCount, taps, bandCount]),
      shrink(vector(`${name}.scale`, filterCount)),
    );
    // The kernel takes inner values in pairs: an odd height gets a band of zeros.
    const padded = bandCount + (bandCount % 2);
    return {
      filterCount,
      bandCount,
      sense: vector(`${name}.sense`, filterCount),
      shift: vector(`${name}.shift`, filterCount),
      convolution: packFixedConvolution(
        kernels,
        weights,
        vector(`${name}.bias`, filterCount),
        [
          ['out', filterCount],
          ['tap', taps],
          ['channel', bandCount],
        ],
        padded,
      ),
    };
  });
  const pack = sizes.longOver === 'bands' ? packFixedConvolution : packConvolution;
  const long = sizes.long.map(([filterCount, tapCount], k): LongBank => {
    const name = `long${k}`;
    return {
      filterCount,
      tapCount,
      sense: vector(`${name}.sense`, filterCount),
      shift: vector(`${name}.shift`, filterCount),
      convolution: pack(
        kernels,
        scaleRows(
          getTensor(model, `${name}.weight`, [filterCount, tapCount]),
          shrink(vector(`${name}.scale`, filterCount)),
        ),
        vector(`${name}.bias`, filterCount),
        [
          ['out', filterCount],
          ['channel', tapCount],
        ],
        tapCount,
      ),
    };
  });
  const frontCount = [...tall, ...long].reduce((sum, { filterCount }) => sum + filterCount, 0);
  return {
    sizes,
    scale: INPUT_GAIN * vector('input.scale', 1)[0]!,
    offset: INPUT_GAIN * vector('input.offset', 1)[0]!,
    tall,
    long,
    frontCount,
    time: [0, 1, 2].map((k) => loadTimeLayer(kernels, model, sizes, k, frontCount)),
    ...loadHead(kernels, model, sizes, frontCount),
  };
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
  const scale = getTensor(model, `${name}.scale`, [channels]);
  let weights = scaleRows(getTensor(model, `${name}.weight`, [channels, inCount, TIME_TAPS]), scale);
  let inChannels = inCount;
  if (index === 0) {
    // What the filters that are gone had to say: a channel that is one inside the patch, and zero where the padding is.
    inChannels = inCount + 1;
    const constant = scaleRows(getTensor(model, 'time0.constant', [channels * TIME_TAPS]), scale);
    const joined = new Float32Array(channels * inChannels * TIME_TAPS);
    for (let out = 0; out < channels; out++) {
      const at = out * inChannels * TIME_TAPS;
      joined.set(weights.subarray(out * inCount * TIME_TAPS, (out + 1) * inCount * TIME_TAPS), at);
      joined.set(constant.subarray(out * TIME_TAPS, (out + 1) * TIME_TAPS), at + inCount * TIME_TAPS);
    }
    weights = joined;
  }
  return {
    sense: null,
    shift: getTensor(model, `${name}.shift`, [channels]),
    convolution: packConvolution(
      kernels,
      weights,
      getTensor(model, `${name}.bias`, [channels]),
      [
        ['out', channels],
        ['channel', inChannels],
        ['tap', TIME_TAPS],
      ],
      padChannels(inChannels),
    ),
  };
}

function loadHead(
  kernels: NetworkKernels,
  model: ModelFile,
  { channels, hidden, tags }: TaggerSizes,
  frontCount: number,
): Pick<TaggerLayers, 'dense' | 'tags'> {
  const pooledCount = 2 * (frontCount + 3 * channels);
  const load = (name: string, out: number, inner: number, gain: string, scale: string | null) => {
    const weights = scaleColumns(
      getTensor(model, `${name}.weight`, [out, inner]),
      getTensor(model, gain, [inner]),
    );
    return packConvolution(
      kernels,
      scale === null ? weights : scaleRows(weights, getTensor(model, scale, [out])),
      getTensor(model, `${name}.bias`, [out]),
      [
        ['out', out],
        ['channel', inner],
      ],
      inner,
    );
  };
  return {
    dense: load('dense', hidden, pooledCount, 'dense.gain', 'dense.scale'),
    tags: load('tags', tags.length, hidden, 'tags.gain', null),
  };
}

function shrink(scale: Float32Array): Float32Array {
  return scale.map((value) => value / INPUT_GAIN);
}

/** Each row (the first axis) by its factor. */
function scaleRows(values: Float32Array, factors: Float32Array): Float32Array {
  const length = values.length / factors.length;
  const scaled = new Float32Array(values.length);
  for (let row = 0, k = 0; row < factors.length; row++) {
    const factor = factors[row]!;
    for (const end = k + length; k < end; k++) scaled[k] = values[k]! * factor;
  }
  return scaled;
}

function scaleColumns(values: Float32Array, factors: Float32Array): Float32Array {
  const scaled = new Float32Array(values.length);
  for (let row = 0; row < values.length; row += factors.length) {
    for (let k = 0; k < factors.length; k++) scaled[row + k] = values[row + k]! * factors[k]!;
  }
  return scaled;
}

function readSizes({ architecture, provenance }: ModelFile): TaggerSizes {
  if (architecture.kind !== 'tagger') throw new ParameterError(`${provenance.name} is no tagger`);
  const { frames, ...rest } = architecture as TaggerSizes & { frames: number };
  const heights = rest.tall.map(([, , bands]) => bands);
  if (heights.some((bands) => bands > BAND_COUNT) || rest.long.some(([, taps]) => taps > frames)) {
    throw new ParameterError(`${provenance.name}: a filter is larger than a patch`);
  }
  return { ...rest, frameCount: frames };
}
