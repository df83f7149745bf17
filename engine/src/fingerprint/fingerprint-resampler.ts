/**
 * Which samples does fpcalc fingerprint? The stream at 11,025 Hz, mono, in 16-bit integers, equal to fpcalc's sample for sample.
 *
 * A fingerprint consists of comparisons that the ripple of a filter can tip, so fingerprints equal those in public databases only if the
 * samples are equal. fpcalc filters 16-bit sources in integers, channel by channel, and averages the channels afterwards; it averages and
 * filters all others in floats, and rounds at the end. The first block that is not silent decides which of the two a source is.
 * The stream is extended by its mirror image before the first sample, and not at all after the last.
 * Source: FFmpeg's libswresample (resample.c), as fpcalc 1.5.1 of Chromaprint calls it.
 * Deviation: more than two channels are averaged, whereas fpcalc weights them by their positions, which are not known here.
 */

import { STAGE_SAMPLES, STAGE_STRIDE_SAMPLES, type StagedBlock } from '../signal/block-stage.ts';
import type { Kernels } from '../signal/kernels.ts';
import { createPolyphaseWindow } from '../signal/polyphase.ts';
import { designFingerprintFilter, type FingerprintFilter, toIntegerRows } from './fingerprint-filter.ts';

export type FingerprintResampler = {
  /** Returns 16-bit integers, as floats; valid until the next push. */
  push(block: StagedBlock): Float32Array;
};

export function createFingerprintResampler(
  kernels: Kernels,
  sampleRateHz: number,
  channelCount: number,
): FingerprintResampler {
  const filter = designFingerprintFilter(sampleRateHz);
  const integers = createIntegerPath(kernels, filter, channelCount);
  const floats = createFloatPath(kernels, filter, channelCount);
  let path: FingerprintResampler | null = null;
  return {
    push(block) {
      if (path !== null) return path.push(block);
      if (block.peaks.every((peak) => peak === 0)) {
        // Both paths return the same zeros; each is fed, because either may be chosen later.
        floats.push(block);
        return integers.push(block);
      }
      path = hasSixteenBits(kernels, block) ? integers : floats;
      return path.push(block);
    },
  };
}

function hasSixteenBits(kernels: Kernels, { channels, sampleCount }: StagedBlock): boolean {
  return channels.every((pointer) => kernels.exports.isSixteenBits(pointer, sampleCount) !== 0);
}

function createIntegerPath(
  kernels: Kernels,
  filter: FingerprintFilter,
  channelCount: number,
): FingerprintResampler {
  const { rowTapCount, rowCount, up, down } = filter;
  const capacitySamples = capacityOf(filter);
  const integerRows = toIntegerRows(filter.rows);
  const rows = kernels.exports.allocate(integerRows.byteLength);
  new Int16Array(kernels.exports.memory.buffer, rows, integerRows.length).set(integerRows);
  const lanes = Array.from({ length: channelCount }, () =>
    kernels.exports.allocate(capacitySamples * Int16Array.BYTES_PER_ELEMENT),
  );
  const output = kernels.allocateFloats(outputCapacityOf(filter));
  const convolve = (count: number, start: number, phase: number): void => {
    lanes.forEach((lane, channel) => {
      const add = channel > 0 ? 1 : 0;
      kernels.exports.convolvePolyphaseIntegers(
        lane,
        rows,
        rowTapCount,
        rowCount,
        up,
        down,
        start,
        phase,
        output.pointer,
        count,
        add,
      );
    });
  };
  const viewLane = (lane: number): Int16Array =>
    new Int16Array(kernels.exports.memory.buffer, lane, capacitySamples);
  const stream = createMirroredStream(filter, () => lanes.map(viewLane), convolve);
  return {
    push({ channels, sampleCount }) {
      lanes.forEach((lane, channel) => {
        const to = lane + stream.heldCount() * Int16Array.BYTES_PER_ELEMENT;
        kernels.exports.toSixteenBits(channels[channel]!, to, sampleCount);
      });
      const count = stream.take(sampleCount);
      const view = output.view.subarray(0, count);
      // libswresample adds one to the sum of two channels and shifts it right, which rounds halves up.
      for (let n = 0; n < count; n++) view[n] = Math.floor(view[n]! / channelCount + 0.5);
      return view;
    },
  };
}

function createFloatPath(
  kernels: Kernels,
  filter: FingerprintFilter,
  channelCount: number,
): FingerprintResampler {
  const { rowTapCount, rowCount, up, down } = filter;
  const rows = kernels.copyFloats(filter.rows);
  const lane = kernels.allocateFloats(capacityOf(filter));
  const output = kernels.allocateFloats(outputCapacityOf(filter));
  const convolve = (count: number, start: number, phase: number): void => {
    kernels.exports.convolvePolyphase(
      lane.pointer,
      rows.pointer,
      rowTapCount,
      rowCount,
      up,
      down,
      start,
      phase,
      output.pointer,
      count,
    );
    kernels.exports.roundToSixteenBits(output.pointer, count);
  };
  const stream = createMirroredStream(filter, () => [lane.view], convolve);
  return {
    push({ channels, sampleCount }) {
      const to = lane.pointer + stream.heldCount() * Float32Array.BYTES_PER_ELEMENT;
      kernels.exports.mixToMono(channels[0]!, STAGE_STRIDE_SAMPLES, channelCount, to, sampleCount);
      return output.view.subarray(0, stream.take(sampleCount));
    },
  };
}

/** Keeps the position in a stream with a mirrored head. The caller writes samples at `heldCount`, then passes their number to `take`. */
function createMirroredStream(
  { tapCount, centreTap, up, down }: FingerprintFilter,
  viewLanes: () => (Int16Array | Float32Array)[],
  convolve: (count: number, start: number, phase: number) => void,
): { heldCount(): number; take(count: number): number } {
  const window = createPolyphaseWindow(tapCount, up, down, centreTap);
  let isHeadFilled = centreTap === 0;

  const fillHead = (): void => {
    for (const lane of viewLanes()) {
      for (let k = 1; k <= centreTap; k++) lane[centreTap - k] = lane[centreTap + k]!;
    }
    isHeadFilled = true;
  };

  return {
    heldCount: () => window.heldCount,
    take(count) {
      window.heldCount += count;
      // The room for the head counts as held. libswresample fills it once it has more samples than taps, else returns nothing.
      if (!isHeadFilled && window.heldCount - centreTap <= tapCount) return 0;
      if (!isHeadFilled) fillHead();
      const ready = window.countReady();
      convolve(ready, window.start, window.phase);
      const endSample = window.heldCount;
      const dropped = window.advance(ready);
      for (const lane of viewLanes()) lane.copyWithin(0, dropped, endSample);
      return ready;
    },
  };
}

/** Room in samples for the head, a block, the samples whose last taps are still to come, and reads rounded up to whole vectors. */
function capacityOf({ rowTapCount, up, down }: FingerprintFilter): number {
  return STAGE_SAMPLES + 4 * rowTapCount + Math.ceil(down / up) + 16;
}

function outputCapacityOf(filter: FingerprintFilter): number {
  return Math.ceil((capacityOf(filter) * filter.up) / filter.down) + 1;
}
