/**
 * Is anything wrong with the recording? Timed defects, and measurements of the whole.
 *
 * While samples stream in, every channel is condensed to stretches of 32 samples; the detectors of clicks, dropouts and silence decide
 * on those, clipping and stereo on the samples themselves, bandwidth and hum on spectra.
 */

import type { Quality, UnavailableReason } from '../result.ts';
import { STAGE_SAMPLES, type StagedBlock } from '../signal/block-stage.ts';
import type { Kernels } from '../signal/kernels.ts';
import type { MeanSpectrum } from '../signal/mean-spectrum.ts';
import type { PcmFormat } from '../signal/pcm.ts';
import { BANDWIDTH_FRAMES_MIN, measureBandwidth } from './bandwidth.ts';
import { createClickDetector } from './clicks.ts';
import { createClippingDetector } from './clipping.ts';
import { createDropoutDetector } from './dropouts.ts';
import { createEventList } from './event-list.ts';
import { createHumDetector } from './hum.ts';
import { createNoiseFloorMeter, NOISE_FRAME_SAMPLES } from './noise-floor.ts';
import { createSilenceDetector } from './silence.ts';
import { createStereoMeter } from './stereo.ts';
import { createStretchReader, STRETCH_SAMPLES } from './stretches.ts';

const STRETCHES_MAX = STAGE_SAMPLES / STRETCH_SAMPLES;

export type QualityInspector = {
  take(block: StagedBlock): void;
  /** Where the magnitudes of one frame of the pitch spectrum lie, bins `binHz` apart. */
  observePitchSpectrum(magnitudes: number): void;
  finish(input: { spectrum: MeanSpectrum; nonFiniteSamples: number; durationSeconds: number }): {
    quality: Quality;
    unavailable: Record<string, UnavailableReason>;
  };
};

export function createQualityInspector(
  kernels: Kernels,
  { sampleRateHz, channelCount }: PcmFormat,
  pitchSpectrum: { binHz: number; sineGain: number },
): QualityInspector {
  const events = createEventList();
  const readStretches = createStretchReader(kernels, STAGE_SAMPLES);
  const silence = createSilenceDetector(sampleRateHz, events.add);
  const hum = createHumDetector(kernels, pitchSpectrum.binHz, pitchSpectrum.sineGain);
  const stereo = channelCount === 1 ? null : createStereoMeter(kernels, sampleRateHz);
  const noiseFloor = createNoiseFloorMeter(channelCount);
  const channels = Array.from({ length: channelCount }, (_, channel) => ({
    clipping: createClippingDetector(kernels, sampleRateHz, channel, events.add),
    clicks: createClickDetector(sampleRateHz, channel, STRETCHES_MAX, events.add),
    dropouts: createDropoutDetector(sampleRateHz, channel, events.add),
    /** Of all samples so far, and of the squares of this block. */
    totals: kernels.allocateDoubles(2),
  }));
  const loudestOfStretch = kernels.allocateFloats(STRETCHES_MAX);
  const squaresOfStretch = kernels.allocateDoubles(STRETCHES_MAX);
  let sampleCount = 0;

  const inspectChannel = (channel: (typeof channels)[number], pointer: number, count: number): void => {
    const stretches = readStretches(pointer, count);
    channel.clicks.take(stretches.jolts);
    channel.dropouts.take(stretches.peaks);
    kernels.exports.gatherStretches(
      stretches.pointer,
      stretches.stride,
      stretches.count,
      loudestOfStretch.pointer,
      squaresOfStretch.pointer,
      channel.totals.pointer,
    );
  };

  return {
    take(block) {
      const stretchCount = Math.ceil(block.sampleCount / STRETCH_SAMPLES);
      loudestOfStretch.view.fill(0);
      squaresOfStretch.view.fill(0);
      block.channels.forEach((pointer, channel) => {
        channels[channel]!.clipping.take(pointer, block.sampleCount, block.peaks[channel]!);
        inspectChannel(channels[channel]!, pointer, block.sampleCount);
      });
      silence.take(loudestOfStretch.view.subarray(0, stretchCount));
      noiseFloor.take(squaresOfStretch.view, stretchCount);
      const [left, right] = block.channels;
      if (stereo !== null && left !== undefined && right !== undefined) {
        const [leftSquares, rightSquares] = channels.map(({ totals }) => totals.view[1]!);
        stereo.take(left, right, leftSquares!, rightSquares!, block.sampleCount);
      }
      sampleCount += block.sampleCount;
    },
    observePitchSpectrum: hum.take,
    finish({ spectrum, nonFiniteSamples, durationSeconds }) {
      for (const { clipping } of channels) clipping.finish();
      silence.finish(durationSeconds);
      const quality: Quality = {
        ...events.finish(),
        dcOffset: channels.map(({ totals }) => totals.view[0]! / Math.max(1, sampleCount)),
        noiseFloorDbfs: noiseFloor.finish(),
        hum: hum.finish(),
        ...measureBandwidth(spectrum, sampleRateHz),
        stereo: stereo?.finish() ?? null,
        nonFiniteSamples,
      };
      return {
        quality,
        unavailable: explainAbsence(quality, channelCount, sampleCount, spectrum.frameCount),
      };
    },
  };
}

function explainAbsence(
  { noiseFloorDbfs, bandwidthHz, stereo }: Quality,
  channelCount: number,
  sampleCount: number,
  frameCount: number,
): Record<string, UnavailableReason> {
  const shortOrSilent = (isShort: boolean): UnavailableReason => (isShort ? 'too_short' : 'silence');
  const reasons: Record<string, UnavailableReason> = {};
  if (noiseFloorDbfs === null) {
    reasons['quality.noise_floor_dbfs'] = shortOrSilent(sampleCount < NOISE_FRAME_SAMPLES);
  }
  if (bandwidthHz === null) {
    reasons['quality.bandwidth_hz'] = shortOrSilent(frameCount < BANDWIDTH_FRAMES_MIN);
  }
  if (stereo === null) {
    reasons['quality.stereo'] = channelCount === 1 ? 'mono' : shortOrSilent(sampleCount === 0);
  }
  return reasons;
}
