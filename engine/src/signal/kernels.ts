/**
 * The wasm kernels: one compiled module, and instances of it, each with a memory of its own. Most live as long as an analysis.
 *
 * Memory is handed out by a bump allocator and goes with the instance. Views into it die whenever it grows, so
 * nothing keeps a view: a `Region` keeps the pointer and makes the view anew when it has to.
 *
 * Every kernel has a twin in TypeScript beside the code that uses it; the tests hold one against the other.
 */

import { KERNELS_WASM_BASE64, type KernelFunctions } from './kernels.generated.ts';

/** What is used of a WebAssembly.Memory. By name, its type comes with the DOM, which our declarations must not ask their readers for. */
type KernelMemory = { readonly buffer: ArrayBuffer };

export type KernelExports = KernelFunctions & { memory: KernelMemory };

export type Kernels = {
  exports: KernelExports;
  /** Zeroed floats that live as long as the instance. */
  allocateFloats(count: number): FloatRegion;
  /** Floats holding a copy of `values`. */
  copyFloats(values: ArrayLike<number>): FloatRegion;
  /** The same with 64 bits each. */
  allocateDoubles(count: number): DoubleRegion;
  copyDoubles(values: ArrayLike<number>): DoubleRegion;
};

export type FloatRegion = Region<Float32Array>;
export type DoubleRegion = Region<Float64Array>;

type ViewType<View> = {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): View;
  readonly BYTES_PER_ELEMENT: number;
};

/** Numbers in the memory of one kernel instance. */
class Region<View extends Float32Array | Float64Array> {
  readonly pointer: number;
  readonly length: number;
  readonly #memory: KernelMemory;
  readonly #viewType: ViewType<View>;
  #view: View;

  constructor(memory: KernelMemory, viewType: ViewType<View>, pointer: number, length: number) {
    this.#memory = memory;
    this.#viewType = viewType;
    this.pointer = pointer;
    this.length = length;
    this.#view = new viewType(memory.buffer, pointer, length);
  }

  /** Valid until the next allocation; ask again rather than keep it. */
  get view(): View {
    // Memory that grows detaches the views of its old buffer, which then have no length. To compare buffers would cost two calls.
    if (this.#view.length !== this.length) {
      this.#view = new this.#viewType(this.#memory.buffer, this.pointer, this.length);
    }
    return this.#view;
  }
}

let compiled: WebAssembly.Module | null = null;

export function createKernels(): Kernels {
  compiled ??= new WebAssembly.Module(decodeBase64(KERNELS_WASM_BASE64));
  return bindKernels(compiled);
}

/** A plain loop: it runs once, in code that V8 has had no reason to optimise, where a call for each byte takes milliseconds. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** `createKernels` for a WebAssembly.Module other than the built-in one: the tests break a kernel this way. */
export function bindKernels(module: object): Kernels {
  const exports = new WebAssembly.Instance(module as WebAssembly.Module, { env: { abort: failInsideKernel } })
    .exports as unknown as KernelExports;
  const allocate = <View extends Float32Array | Float64Array>(type: ViewType<View>, count: number) =>
    new Region(exports.memory, type, exports.allocate(count * type.BYTES_PER_ELEMENT), count);
  const copy = <Copied extends Region<Float32Array | Float64Array>>(
    region: Copied,
    values: ArrayLike<number>,
  ): Copied => {
    region.view.set(values);
    return region;
  };
  return {
    exports,
    allocateFloats: (count) => allocate(Float32Array, count),
    copyFloats: (values) => copy(allocate(Float32Array, values.length), values),
    allocateDoubles: (count) => allocate(Float64Array, count),
    copyDoubles: (values) => copy(allocate(Float64Array, values.length), values),
  };
}

function failInsideKernel(): never {
  throw new Error('a wasm kernel failed an assertion');
}
