/** Model files for tests: a writer of the container (engine/models/README.md), and small beat networks of random weights. */

import { makeRandom } from '../test-random.ts';

const MAGIC = 'EARSHOT1';
const HEADER_START_BYTES = 12;
const ALIGNMENT_BYTES = 16;

export type TestTensor = {
  shape: number[];
  values: ArrayLike<number>;
  dtype?: 'f32' | 'f16' | 'i8';
  scale?: number | number[];
  /** The bit patterns of an `f16` tensor: not every supported Node has Float16Array. */
  bits?: number[];
};

export function writeModelFile(
  architecture: Record<string, unknown>,
  tensors: Record<string, TestTensor>,
): Uint8Array {
  const blobs: Uint8Array[] = [];
  let offsetBytes = 0;
  const entries = Object.entries(tensors).map(([name, tensor]) => {
    const dtype = tensor.dtype ?? 'f32';
    const array =
      dtype === 'f32'
        ? Float32Array.from(tensor.values)
        : dtype === 'f16'
          ? Uint16Array.from(tensor.bits ?? [])
          : Int8Array.from(tensor.values);
    const blob = new Uint8Array(Math.ceil(array.byteLength / ALIGNMENT_BYTES) * ALIGNMENT_BYTES);
    blob.set(new Uint8Array(array.buffer));
    const entry = {
      name,
      shape: tensor.shape,
      dtype,
      scale: tensor.scale,
      offset: offsetBytes,
      length: array.byteLength,
    };
    blobs.push(blob);
    offsetBytes += blob.length;
    return entry;
  });
  let header = JSON.stringify({ name: 'test', version: '0', architecture, tensors: entries });
  while ((HEADER_START_BYTES + header.length) % ALIGNMENT_BYTES !== 0) header += ' ';
  let atByte = HEADER_START_BYTES + header.length;
  const file = new Uint8Array(atByte + offsetBytes);
  file.set(new TextEncoder().encode(MAGIC + ' '.repeat(4) + header));
  new DataView(file.buffer).setUint32(MAGIC.length, header.length, true);
  for (const blob of blobs) {
    file.set(blob, atByte);
    atByte += blob.length;
  }
  return file;
}

export type BeatNetworkSize = { frontChannels: number; channels: number; dilations: number[] };

/** Random weights of about unit gain, the same in every run. */
export function makeBeatModel(size: BeatNetworkSize): Uint8Array {
  const { frontChannels, channels, dilations } = size;
  const random = makeRandom(1);
  const tensors: Record<string, TestTensor> = {
    'input.scale': { shape: [1], values: [0.7] },
    'input.offset': { shape: [1], values: [-0.4] },
  };
  const add = (name: string, shape: number[]): void => {
    const fanIn = shape.slice(1).reduce((product, n) => product * n, 1);
    const count = fanIn * shape[0]!;
    const spread = Math.sqrt(3 / fanIn);
    tensors[`${name}.weight`] = {
      shape,
      values: Array.from({ length: count }, () => (2 * random() - 1) * spread),
    };
    tensors[`${name}.bias`] = {
      shape: [shape[0]!],
      values: Array.from({ length: shape[0]! }, () => random() - 0.5),
    };
  };
  add('conv1', [frontChannels, 1, 3, 3]);
  add('conv2', [frontChannels, frontChannels, 3, 3]);
  add('conv3', [channels, frontChannels, 9]);
  dilations.forEach((_, index) => {
    add(`block${index}.near`, [channels, channels, 5]);
    add(`block${index}.far`, [channels, channels, 5]);
    add(`block${index}.out`, [channels, 2 * channels]);
  });
  add('hidden', [channels, channels]);
  add('output', [2, channels]);
  const architecture = {
    kind: 'beat-tcn',
    ...size,
    kernel: 5,
    outputs: ['beat', 'downbeat'],
    input: { bands: 81, gain: 10 },
  };
  return writeModelFile(architecture, tensors);
}
