/**
 * Rows of numbers at a constant rate: the form in which spectra are passed between stages.
 *
 * Row i is centred at i / frameRateHz seconds from the start of the audio.
 */

import { ParameterError } from '../parameter-error.ts';
import { decodeMagnitudes, encodeMagnitudes } from './compact-float.ts';

export type FrameMatrix = {
  frameRateHz: number;
  binCount: number;
  frameCount: number;
  /** Row-major: bin b of frame i is data[i * binCount + b]. Long files have 16-bit codes (compact-float.ts); `copyFrames` reads both. */
  data: Float32Array | Uint16Array;
};

export type FloatFrames = FrameMatrix & { data: Float32Array };

/** Copies the rows of frames `first` to `end` to the start of `target`. */
export function copyFrames(
  { binCount, data }: FrameMatrix,
  first: number,
  end: number,
  target: Float32Array,
): void {
  if (data instanceof Float32Array) target.set(data.subarray(first * binCount, end * binCount));
  else decodeMagnitudes(data, first * binCount, end * binCount, target);
}

const PAGE_BYTES = 65_536;
/** 4 GiB, the limit of 32-bit WebAssembly. */
const PAGES_MAX = 65_536;
/** Memory grows by a sixteenth or by 64 pages (4 MiB), whichever is more: few steps for a song, little slack for an opera. */
const GROWTH_PAGES_MIN = 64;

/** Longer than a song or most albums, which are therefore kept exactly. */
const EXACT_SECONDS_MAX = 45 * 60;

/**
 * Collects the rows of magnitudes of a stream of unknown length.
 *
 * Three hours of mel frames are 175 MB as floats, and an array that grows by copying would need twice as much. A WebAssembly.Memory grows
 * in place, and its views are ordinary typed arrays, whereas those of a resizable ArrayBuffer are slow in V8 11. With more than
 * `exactFramesMax` frames, all are kept in 16 bits.
 */
export class FrameMatrixBuilder {
  readonly #frameRateHz: number;
  readonly #binCount: number;
  readonly #store = new WebAssembly.Memory({ initial: 0, maximum: PAGES_MAX });
  readonly #exactFramesMax: number;
  #data: Float32Array | Uint16Array = new Float32Array(0);
  #frameCount = 0;

  constructor(
    frameRateHz: number,
    binCount: number,
    exactFramesMax = Math.round(frameRateHz * EXACT_SECONDS_MAX),
  ) {
    if (!(frameRateHz > 0)) throw new ParameterError(`frameRateHz must be positive, is ${frameRateHz}`);
    if (!Number.isInteger(binCount) || binCount < 1) {
      throw new ParameterError(`binCount must be a positive integer, is ${binCount}`);
    }
    this.#frameRateHz = frameRateHz;
    this.#binCount = binCount;
    this.#exactFramesMax = exactFramesMax;
  }

  append(row: ArrayLike<number>): void {
    if (this.#frameCount === this.#exactFramesMax) this.#compact();
    const at = this.#frameCount * this.#binCount;
    if (at + this.#binCount > this.#data.length) this.#grow(at + this.#binCount);
    if (this.#data instanceof Float32Array) this.#data.set(row, at);
    else encodeMagnitudes(row, this.#data, at);
    this.#frameCount++;
  }

  finish(): FrameMatrix {
    return {
      frameRateHz: this.#frameRateHz,
      binCount: this.#binCount,
      frameCount: this.#frameCount,
      data: this.#data.subarray(0, this.#frameCount * this.#binCount),
    };
  }

  #grow(valuesNeeded: number): void {
    const pagesHeld = this.#store.buffer.byteLength / PAGE_BYTES;
    const pagesNeeded = Math.ceil((valuesNeeded * this.#data.BYTES_PER_ELEMENT) / PAGE_BYTES);
    this.#store.grow(Math.max(pagesNeeded - pagesHeld, GROWTH_PAGES_MIN, pagesHeld >> 4));
    this.#data =
      this.#data instanceof Float32Array
        ? new Float32Array(this.#store.buffer)
        : new Uint16Array(this.#store.buffer);
  }

  /** In place: the codes take up the first half of the floats' memory, and later frames the rest. */
  #compact(): void {
    const codes = new Uint16Array(this.#store.buffer);
    encodeMagnitudes(this.#data, codes, 0, this.#frameCount * this.#binCount);
    this.#data = codes;
  }
}
