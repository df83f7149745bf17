/**
 * Mixes the channels to mono: their mean.
 *
 * If one of two channels has inverted polarity, what they have in common cancels in the mean, and a whole song could become silent. So
 * while most of the energy since the beginning is in the difference of the two channels, half the difference is used instead: the mean with
 * the polarity corrected. The rule is our own.
 */

import { SILENCE_RMS } from '../silence-level.ts';
import { STAGE_SAMPLES, STAGE_STRIDE_SAMPLES, type StagedBlock } from './block-stage.ts';
import type { FloatRegion, Kernels } from './kernels.ts';

/**
 * The share of their energy that the mean of two channels of equal energy has at a correlation of -0.5, from which on quality/stereo.ts
 * reports an inverted channel.
 */
const MEAN_SHARE_MIN = 1 / 8;
/** One block at the silence level: less energy than this is noise of any correlation, and no evidence of polarity. */
const ENERGY_MIN = STAGE_SAMPLES * SILENCE_RMS ** 2;

export type MonoMixer = {
  /** The mix of the last block. */
  output: FloatRegion;
  mix(block: StagedBlock): void;
};

export function createMonoMixer(kernels: Kernels, channelCount: number): MonoMixer {
  const output = kernels.allocateFloats(STAGE_SAMPLES);
  let channelEnergy = 0;
  let meanEnergy = 0;

  const isInverted = ({ channels, sampleCount }: StagedBlock): boolean => {
    const { exports } = kernels;
    for (const channel of channels) channelEnergy += exports.sumSquares(channel, sampleCount);
    meanEnergy += exports.sumSquares(output.pointer, sampleCount);
    return channelEnergy > ENERGY_MIN && meanEnergy < MEAN_SHARE_MIN * channelEnergy;
  };

  return {
    output,
    mix(block) {
      const { channels, sampleCount } = block;
      const { exports } = kernels;
      exports.mixToMono(channels[0]!, STAGE_STRIDE_SAMPLES, channelCount, output.pointer, sampleCount);
      if (channelCount !== 2 || !isInverted(block)) return;
      const [left, right] = channels.map(
        (pointer) => new Float32Array(exports.memory.buffer, pointer, sampleCount),
      );
      const mono = output.view;
      for (let n = 0; n < sampleCount; n++) mono[n] = (left![n]! - right![n]!) / 2;
    },
  };
}
