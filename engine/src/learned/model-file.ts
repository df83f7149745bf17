/**
 * Reads a file of trained weights. The format is described in engine/models/README.md; training/ writes it.
 *
 * Tensors are returned as 32-bit floats, whether the file stores 32-bit, 16-bit or scaled 8-bit numbers.
 */

import type { ModelProvenance } from '../result.ts';
import { createKernels, type Kernels } from '../signal/kernels.ts';
import { ModelError } from './model-error.ts';
import { hashSha256 } from './sha256.ts';

type Tensor = { shape: readonly number[]; values: Float32Array };

export type ModelFile = {
  provenance: ModelProvenance;
  /** As the exporter wrote it; each network validates the fields it needs. */
  architecture: Record<string, unknown>;
  tensors: ReadonlyMap<string, Tensor>;
};

const MAGIC = 'EARSHOT1';
const HEADER_START_BYTES = 12;
const DATA_ALIGNMENT_BYTES = 16;

/** The field names are those of the format: `offset` and `length` are in bytes. */
type TensorEntry = {
  name: string;
  shape: number[];
  dtype: 'f32' | 'f16' | 'i8';
  scale?: number | number[];
  offset: number;
  length: number;
};

type Header = {
  name: string;
  version: string;
  architecture: Record<string, unknown>;
  tensors: TensorEntry[];
};

/** A worker reads the same bytes for every analysis, and hashes and unpacks them only once. */
const parsedFiles = new WeakMap<Uint8Array, ModelFile>();

export function readModelFile(bytes: Uint8Array): ModelFile {
  let file = parsedFiles.get(bytes);
  if (file === undefined) {
    file = parseModelFile(bytes);
    parsedFiles.set(bytes, file);
  }
  return file;
}

const knownHashes = new WeakMap<Uint8Array, string>();

/** Supplies the hash of these bytes to `readModelFile`: node:crypto computes it several times as fast as our kernel. */
export function rememberModelHash(bytes: Uint8Array, sha256: string): void {
  knownHashes.set(bytes, sha256);
}

/** The values of a tensor; throws unless it exists and has the expected shape. */
export function getTensor(file: ModelFile, name: string, shape: readonly number[]): Float32Array {
  const tensor = file.tensors.get(name);
  if (tensor === undefined) throw new ModelError(`model ${file.provenance.name} has no tensor ${name}`);
  if (tensor.shape.length !== shape.length || tensor.shape.some((size, axis) => size !== shape[axis])) {
    throw new ModelError(`tensor ${name} is [${tensor.shape}], expected [${shape}]`);
  }
  return tensor.values;
}

function parseModelFile(bytes: Uint8Array): ModelFile {
  if (bytes.length < HEADER_START_BYTES || ascii(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new ModelError('not a model file');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dataStartBytes = HEADER_START_BYTES + view.getUint32(MAGIC.length, true);
  if (dataStartBytes % DATA_ALIGNMENT_BYTES !== 0 || dataStartBytes > bytes.length) {
    throw new ModelError('model file is truncated or misaligned');
  }
  const header = parseHeader(bytes.subarray(HEADER_START_BYTES, dataStartBytes));
  const kernels = createKernels();
  const tensors = new Map<string, Tensor>();
  for (const entry of header.tensors) {
    const { offset, length } = entry;
    if (!(offset >= 0 && length >= 0 && dataStartBytes + offset + length <= bytes.length)) {
      throw new ModelError(`tensor ${entry.name} lies outside the data of the file`);
    }
    tensors.set(entry.name, {
      shape: entry.shape,
      values: unpackTensor(kernels, view, dataStartBytes, entry),
    });
  }
  return {
    provenance: {
      name: header.name,
      version: header.version,
      sha256: knownHashes.get(bytes) ?? hashSha256(kernels, bytes),
    },
    architecture: header.architecture,
    tensors,
  };
}

function parseHeader(bytes: Uint8Array): Header {
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes)) as Header;
    if (header.architecture && header.tensors.every(({ shape }) => Array.isArray(shape))) return header;
  } catch {
    // Not JSON, or not a list of tensors.
  }
  throw new ModelError('the header of the model file is damaged');
}

const BYTES_PER_VALUE = { f32: 4, f16: 2, i8: 1 } as const;

function unpackTensor(
  kernels: Kernels,
  view: DataView,
  dataStartBytes: number,
  entry: TensorEntry,
): Float32Array {
  const count = entry.shape.reduce((product, size) => product * size, 1);
  const widthBytes = BYTES_PER_VALUE[entry.dtype];
  if (widthBytes === undefined || count * widthBytes !== entry.length) {
    throw new ModelError(
      `tensor ${entry.name}: ${entry.length} bytes do not hold [${entry.shape}] of ${entry.dtype}`,
    );
  }
  const startBytes = dataStartBytes + entry.offset;
  if (entry.dtype === 'f16') {
    return decodeHalves(kernels, new Uint8Array(view.buffer, view.byteOffset + startBytes, entry.length));
  }
  const values = new Float32Array(count);
  if (entry.dtype === 'f32') {
    for (let i = 0; i < count; i++) values[i] = view.getFloat32(startBytes + widthBytes * i, true);
  } else {
    const rowValueCount = count / (entry.shape[0] ?? 1);
    const scaleOf = (row: number): number => {
      const scale = Array.isArray(entry.scale) ? entry.scale[row] : entry.scale;
      if (scale === undefined) throw new ModelError(`tensor ${entry.name} has no scale for row ${row}`);
      return scale;
    };
    for (let i = 0; i < count; i++)
      values[i] = view.getInt8(startBytes + i) * scaleOf(Math.floor(i / rowValueCount));
  }
  return values;
}

/** IEEE 754 binary16, little-endian, to 32-bit floats. */
export function decodeHalves(kernels: Kernels, bytes: Uint8Array): Float32Array {
  const { exports } = kernels;
  const mark = exports.markMemory();
  const count = bytes.length / BYTES_PER_VALUE.f16;
  const input = exports.allocate(bytes.length);
  const values = kernels.allocateFloats(count);
  new Uint8Array(exports.memory.buffer, input).set(bytes);
  exports.decodeHalves(input, values.pointer, count);
  const decoded = values.view.slice();
  exports.releaseMemory(mark);
  return decoded;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
