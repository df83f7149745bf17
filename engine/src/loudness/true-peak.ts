/**
 * True peak (ITU-R BS.1770-5, annex 2): how high the analogue wave rises between the samples.
 *
 * The largest absolute value of the signal, oversampled fourfold by the annex's FIR filter of 48 taps. From 96 kHz on the annex allows
 * twofold oversampling and from 192 kHz none; the fourfold filter is used at all rates, because it is no less accurate.
 */

import { STAGE_HISTORY_SAMPLES, type StagedBlock } from '../signal/block-stage.ts';
import type { Kernels } from '../signal/kernels.ts';

export const TAPS_PER_PHASE = 12;

/** The annex's table; phases 2 and 3 are phases 1 and 0 reversed. */
const PHASE_0 = [
  0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625,
  0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
];
const PHASE_1 = [
  -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625, 0.77978515625,
  -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
];
export const TRUE_PEAK_PHASES = [PHASE_0, PHASE_1, PHASE_1.toReversed(), PHASE_0.toReversed()];

/** An interpolated value is at most this many times the largest sample within the filter. */
const GAIN_MAX = Math.max(
  ...TRUE_PEAK_PHASES.map((phase) => phase.reduce((sum, tap) => sum + Math.abs(tap), 0)),
);

export type PeakMeter = {
  take(block: StagedBlock): void;
  /** Linear; 1 is full scale. */
  finish(): { samplePeak: number; truePeak: number };
};

export function createPeakMeter(kernels: Kernels, channelCount: number): PeakMeter {
  const taps = kernels.copyFloats(
    Array.from({ length: TAPS_PER_PHASE }, (_, tap) => TRUE_PEAK_PHASES.map((phase) => phase[tap]!)).flat(),
  );
  const tails = Array.from({ length: channelCount }, () =>
    kernels.allocateFloats(STAGE_HISTORY_SAMPLES + TAPS_PER_PHASE),
  );
  const sampleBytes = Float32Array.BYTES_PER_ELEMENT;
  const peaksBefore = new Float64Array(channelCount);
  let samplePeak = 0;
  let truePeak = 0;

  const interpolate = (pointer: number, count: number): void => {
    truePeak = kernels.exports.findInterpolatedPeak(pointer, count, taps.pointer, GAIN_MAX, truePeak);
  };

  return {
    take({ channels, peaks, sampleCount }) {
      channels.forEach((pointer, channel) => {
        samplePeak = Math.max(samplePeak, peaks[channel]!);
        // The filter also reads the end of the previous block.
        const largest = Math.max(peaks[channel]!, peaksBefore[channel]!);
        peaksBefore[channel] = peaks[channel]!;
        if (largest * GAIN_MAX > truePeak) interpolate(pointer, sampleCount);
        tails[channel]!.view.set(
          new Float32Array(
            kernels.exports.memory.buffer,
            pointer + (sampleCount - STAGE_HISTORY_SAMPLES) * sampleBytes,
            STAGE_HISTORY_SAMPLES,
          ),
        );
      });
    },
    finish() {
      // The filter rings for eleven samples after the end.
      for (const tail of tails)
        interpolate(tail.pointer + STAGE_HISTORY_SAMPLES * sampleBytes, TAPS_PER_PHASE - 1);
      return { samplePeak, truePeak: Math.max(samplePeak, truePeak) };
    },
  };
}
