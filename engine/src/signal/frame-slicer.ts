/**
 * Divides a stream into overlapping frames: frame i is centred on sample i * hopSamples.
 *
 * Both ends of the signal are extended by its mirror image, without repeating the end sample, so that the first and last frames contain the
 * same kind of sound as the others rather than an abrupt silence.
 */

import { ParameterError } from '../parameter-error.ts';
import type { Kernels } from './kernels.ts';

export type FrameSlicer = {
  push(samples: Float32Array): void;
  finish(): void;
};

/** Calls `onFrame` with the address of each frame of `windowSamples` floats, in order; the address is valid during that call. */
export function createFrameSlicer(
  kernels: Kernels,
  windowSamples: number,
  hopSamples: number,
  onFrame: (pointer: number) => void,
): FrameSlicer {
  if (!(hopSamples >= 1 && hopSamples < windowSamples / 2)) {
    throw new ParameterError(
      `hop must be at least 1 and less than half the window, is ${hopSamples} of ${windowSamples}`,
    );
  }
  const halfSamples = windowSamples / 2;
  // The first half window is reserved for the mirrored start, which is filled in as soon as the samples that it mirrors have arrived.
  // Two windows would do, for what is held back and the mirrored end; with four, samples are moved less often.
  const held = kernels.allocateFloats(4 * windowSamples);
  let heldCount = halfSamples;
  let frameStart = 0;
  let sampleCount = 0;
  let isStartFilled = false;

  const emitFrames = (): void => {
    for (; frameStart + windowSamples <= heldCount; frameStart += hopSamples) {
      onFrame(held.pointer + frameStart * Float32Array.BYTES_PER_ELEMENT);
    }
    held.view.copyWithin(0, frameStart, heldCount);
    heldCount -= frameStart;
    frameStart = 0;
  };

  const fillStart = (): void => {
    const view = held.view;
    for (let k = 1; k <= halfSamples; k++)
      view[halfSamples - k] = view[halfSamples + mirrorIndex(k, sampleCount)]!;
    isStartFilled = true;
  };

  return {
    push(samples) {
      for (let from = 0; from < samples.length; ) {
        const count = Math.min(samples.length - from, held.length - heldCount);
        held.view.set(samples.subarray(from, from + count), heldCount);
        heldCount += count;
        sampleCount += count;
        from += count;
        if (!isStartFilled && sampleCount > halfSamples) fillStart();
        if (isStartFilled) emitFrames();
      }
    },
    finish() {
      if (sampleCount === 0) return;
      if (!isStartFilled) fillStart();
      const view = held.view;
      const first = heldCount - sampleCount;
      for (let k = 0; k < halfSamples; k++) {
        view[heldCount + k] = view[first + mirrorIndex(sampleCount + k, sampleCount)]!;
      }
      heldCount += halfSamples;
      emitFrames();
    },
  };
}

/** The index of the sample found at `index` if `length` samples are extended by mirroring. */
function mirrorIndex(index: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const offset = ((index % period) + period) % period;
  return offset < length ? offset : period - offset;
}
