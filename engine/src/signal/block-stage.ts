/**
 * Regroups blocks of any length into blocks of one length, in kernel memory.
 *
 * Every later stage sees the same blocks however the decoder divided the stream, so no result can depend on it.
 * Damaged samples (not finite, or far beyond full scale) are set to zero and counted.
 */

import { ParameterError } from '../parameter-error.ts';
import type { Kernels } from './kernels.ts';
import type { PcmBlock } from './pcm.ts';

/** Two channels take 32 KiB, which stay in the first-level cache from one kernel to the next. */
export const STAGE_SAMPLES = 4096;

/**
 * +36 dB. Our own decoders zero samples beyond 8 times full scale (decode/src/child/sample-output.ts). Other callers may pass louder ones,
 * but samples this loud come from a broken stream.
 */
const FULL_SCALES_MAX = 64;

/** The end of the previous block that precedes each channel, for filters and detectors that look back; zeros before the first block. */
export const STAGE_HISTORY_SAMPLES = 32;

/** The distance between the first samples of neighbouring channels. */
export const STAGE_STRIDE_SAMPLES = STAGE_HISTORY_SAMPLES + STAGE_SAMPLES;

/**
 * One block of planar channels: `channels` are the addresses of their first samples, `peaks` their largest absolute values. The last block
 * may be shorter and is padded with zeros, so that kernels can process whole groups of samples.
 */
export type StagedBlock = {
  channels: readonly number[];
  peaks: readonly number[];
  sampleCount: number;
};

export type BlockStage = {
  push(block: PcmBlock): void;
  /** Emits the last, possibly shorter block. */
  finish(): { nonFiniteSamples: number };
};

export function createBlockStage(
  kernels: Kernels,
  channelCount: number,
  onBlock: (block: StagedBlock) => void,
): BlockStage {
  const staged = kernels.allocateFloats(channelCount * STAGE_STRIDE_SAMPLES);
  const firstSample = (channel: number): number => channel * STAGE_STRIDE_SAMPLES + STAGE_HISTORY_SAMPLES;
  const pointers = Array.from(
    { length: channelCount },
    (_, channel) => staged.pointer + firstSample(channel) * Float32Array.BYTES_PER_ELEMENT,
  );
  const peak = kernels.allocateFloats(1);
  let stagedSamples = 0;
  let nonFiniteSamples = 0;

  const emitBlock = (): void => {
    if (stagedSamples === 0) return;
    for (let channel = 0; channel < channelCount; channel++) {
      staged.view.fill(0, firstSample(channel) + stagedSamples, firstSample(channel) + STAGE_SAMPLES);
    }
    const peaks = pointers.map((pointer) => {
      nonFiniteSamples += kernels.exports.silenceDamage(
        pointer,
        stagedSamples,
        FULL_SCALES_MAX,
        peak.pointer,
      );
      return peak.view[0]!;
    });
    onBlock({ channels: pointers, peaks, sampleCount: stagedSamples });
    for (let channel = 0; channel < channelCount; channel++) {
      const end = firstSample(channel) + stagedSamples;
      staged.view.copyWithin(channel * STAGE_STRIDE_SAMPLES, end - STAGE_HISTORY_SAMPLES, end);
    }
    stagedSamples = 0;
  };

  return {
    push({ channels }) {
      const length = checkBlock(channels, channelCount);
      for (let from = 0; from < length; ) {
        const count = Math.min(length - from, STAGE_SAMPLES - stagedSamples);
        const view = staged.view;
        channels.forEach((samples, channel) => {
          view.set(samples.subarray(from, from + count), firstSample(channel) + stagedSamples);
        });
        stagedSamples += count;
        from += count;
        if (stagedSamples === STAGE_SAMPLES) emitBlock();
      }
    },
    finish() {
      emitBlock();
      return { nonFiniteSamples };
    },
  };
}

function checkBlock(channels: Float32Array[], channelCount: number): number {
  const length = channels[0]?.length ?? 0;
  if (channels.length !== channelCount || channels.some((samples) => samples.length !== length)) {
    throw new ParameterError(`a block must hold ${channelCount} channels of one length`);
  }
  return length;
}
