/** Measures the loudness of whole signals, for tests. */

import { createBlockStage } from '../signal/block-stage.ts';
import { createKernels } from '../signal/kernels.ts';
import { createLoudnessMeter, type MeasuredLoudness } from './loudness.ts';

export function meterSignal(channels: Float32Array[], sampleRateHz: number): MeasuredLoudness {
  const kernels = createKernels();
  const meter = createLoudnessMeter(kernels, sampleRateHz, channels.length);
  const stage = createBlockStage(kernels, channels.length, meter.take);
  stage.push({ channels });
  stage.finish();
  return meter.finish();
}
