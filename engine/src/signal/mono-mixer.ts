/**
 * Mixes the channels to the one in which the music is heard: their mean.
 *
 * If one of two channels has the wrong polarity, what they share cancels in the mean, and a whole song would be silence. So while the difference of two
 * channels has had most of the energy since the beginning, it is taken instead: the mean, had the polarity been right. The rule is our own.
 */

import { SILENCE_RMS } from '../silence-level.ts';
import { STAGE_SAMPLES, STAGE_STRIDE_SAMPLES, type StagedBlock } from './block-stage.ts';
import type { FloatRegion, Kernels } from './kernels.ts';

/**
 * The mean of two channels with a correlation of -0.5 and equal energies has this share of their energy. Chosen: as low as that, quality/stereo.ts
 * says that a channel is inverted.
 */
const MEAN_SHARE_MIN = 1 / 8;
/** Chosen: of silence, whose noise may have any correlation, this much is no evidence. */
const ENERGY_MIN = STAGE_SAMPLES * SILENCE_RMS ** 2;

export type MonoMixer = {
  /** The samples of the last block mixed. */
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
