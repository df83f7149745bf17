/**
 * The wasm kernels: one compiled module, and instances of it, each with its own memory. Most instances live as long as an analysis.
 *
 * A bump allocator hands out memory, which is freed with the instance. Growing the memory detaches all views of it, so no code may keep a
 * view: a `Region` keeps the address and makes a new view when necessary.
 *
 * Every kernel has a twin, a plain implementation outside of WebAssembly; kernel-twins.slow.test.ts compares the two.
 */

import { KERNELS_WASM_BASE64, type KernelFunctions } from './kernels.generated.ts';

/** The part of WebAssembly.Memory used here. Its own type belongs to the DOM library, which users of our declarations may not have. */
type KernelMemory = { readonly buffer: ArrayBuffer };

export type KernelExports = KernelFunctions & { memory: KernelMemory };

export type Kernels = {
  exports: KernelExports;
  /** Zeroed floats that live as long as the instance. */
  allocateFloats(count: number): FloatRegion;
  /** Floats holding a copy of `values`. */
  copyFloats(values: ArrayLike<number>): FloatRegion;
  /** The same with 64-bit floats. */
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
    // A detached view has length 0. Comparing buffers instead would cost two calls.
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

/** A plain loop: this runs once, before V8 optimises it, and a callback per byte would take milliseconds. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Instantiates a WebAssembly.Module; tests pass modules with a broken instruction. */
export function bindKernels(module: object): Kernels {
  const exports = new WebAssembly.Instance(module as WebAssembly.Module).exports as unknown as KernelExports;
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
