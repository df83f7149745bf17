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
import { measureBandwidth } from './bandwidth.ts';
import { createClickDetector } from './clicks.ts';
import { createClippingDetector } from './clipping.ts';
import { createDropoutDetector } from './dropouts.ts';
import { createEventList } from './event-list.ts';
import { createHumDetector } from './hum.ts';
import { createLevelHistogram } from './level-histogram.ts';
import { createSilenceDetector } from './silence.ts';
import { createStereoMeter } from './stereo.ts';
import { createStretchReader, STRETCH_SAMPLES } from './stretches.ts';

/** The level that all but this share of the time exceeds: an upper bound of the noise, which nothing but silence can lay bare. */
const NOISE_SHARE = 0.02;
/** 32 stretches, 23 ms of CD audio. */
const NOISE_FRAME_STRETCHES = 32;

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
  const levels = createLevelHistogram();
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

  const measureNoise = (stretchCount: number): void => {
    const { view } = squaresOfStretch;
    for (let first = 0; first + NOISE_FRAME_STRETCHES <= stretchCount; first += NOISE_FRAME_STRETCHES) {
      let squares = 0;
      for (let k = 0; k < NOISE_FRAME_STRETCHES; k++) squares += view[first + k]!;
      // Digital silence is no noise floor but the absence of one.
      if (squares > 0) {
        levels.add(10 * Math.log10(squares / (NOISE_FRAME_STRETCHES * STRETCH_SAMPLES * channelCount)));
      }
    }
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
      measureNoise(stretchCount);
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
      const image = stereo?.finish() ?? null;
      const quality: Quality = {
        ...events.finish(),
        dcOffset: channels.map(({ totals }) => totals.view[0]! / Math.max(1, sampleCount)),
        noiseFloorDbfs: levels.read().percentileDb(NOISE_SHARE),
        hum: hum.finish(),
        ...measureBandwidth(spectrum, sampleRateHz),
        stereo: image,
        nonFiniteSamples,
      };
      return { quality, unavailable: explainAbsence(quality, channelCount, sampleCount) };
    },
  };
}

function explainAbsence(
  { noiseFloorDbfs, bandwidthHz, stereo }: Quality,
  channelCount: number,
  sampleCount: number,
): Record<string, UnavailableReason> {
  const reasons: Record<string, UnavailableReason> = {};
  const reason = sampleCount < 8 * STAGE_SAMPLES ? 'too_short' : 'silence';
  if (noiseFloorDbfs === null) reasons['quality.noise_floor_dbfs'] = reason;
  if (bandwidthHz === null) reasons['quality.bandwidth_hz'] = reason;
  if (stereo === null) reasons['quality.stereo'] = channelCount === 1 ? 'mono' : reason;
  return reasons;
}
