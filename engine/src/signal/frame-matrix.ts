/**
 * Rows of numbers at a steady rate: the form in which spectra travel between the stages.
 *
 * Row i is centred at i / frameRateHz seconds from the start of the audio.
 */

import { ParameterError } from '../parameter-error.ts';

export type FrameMatrix = {
  frameRateHz: number;
  binCount: number;
  frameCount: number;
  /** Row-major: bin b of frame i is data[i * binCount + b]. */
  data: Float32Array;
};

/** One row, without copying. */
export function frameAt(matrix: FrameMatrix, frame: number): Float32Array {
  return matrix.data.subarray(frame * matrix.binCount, (frame + 1) * matrix.binCount);
}

const PAGE_BYTES = 65536;
/** Grown by a sixteenth, at least 64 pages (4 MiB): few steps for a song, little slack for an opera. */
const GROWTH_PAGES_MIN = 64;

/**
 * Collects rows of a stream of unknown length.
 *
 * Two hours of mel frames are 116 MB, and an array that grows by copying would need them twice. A WebAssembly.Memory
 * grows in place and its views are ordinary typed arrays (those of a resizable ArrayBuffer are slow in V8 11), so it
 * serves as the store.
 */
export class FrameMatrixBuilder {
  readonly frameRateHz: number;
  readonly binCount: number;
  readonly #store = new WebAssembly.Memory({ initial: 0, maximum: 65536 });
  #floats = new Float32Array(0);
  #frameCount = 0;

  constructor(frameRateHz: number, binCount: number) {
    if (!(frameRateHz > 0)) throw new ParameterError(`frameRateHz must be positive, is ${frameRateHz}`);
    if (!Number.isInteger(binCount) || binCount < 1) {
      throw new ParameterError(`binCount must be a positive integer, is ${binCount}`);
    }
    this.frameRateHz = frameRateHz;
    this.binCount = binCount;
  }

  get frameCount(): number {
    return this.#frameCount;
  }

  append(row: ArrayLike<number>): void {
    const end = (this.#frameCount + 1) * this.binCount;
    if (end > this.#floats.length) this.#grow(end);
    this.#floats.set(row, end - this.binCount);
    this.#frameCount++;
  }

  finish(): FrameMatrix {
    return {
      frameRateHz: this.frameRateHz,
      binCount: this.binCount,
      frameCount: this.#frameCount,
      data: this.#floats.subarray(0, this.#frameCount * this.binCount),
    };
  }

  #grow(floatsNeeded: number): void {
    const pagesHeld = this.#store.buffer.byteLength / PAGE_BYTES;
    const pagesNeeded = Math.ceil((floatsNeeded * Float32Array.BYTES_PER_ELEMENT) / PAGE_BYTES);
    this.#store.grow(Math.max(pagesNeeded - pagesHeld, GROWTH_PAGES_MIN, pagesHeld >> 4));
    this.#floats = new Float32Array(this.#store.buffer);
  }
}
