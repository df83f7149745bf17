/**
 * Is anything wrong with the recording? Timed defects, and measurements of the whole.
 *
 * Every channel is summarised in stretches of 32 samples as it streams in. Clicks, dropouts, silence and the noise floor are measured on
 * these, clipping and stereo on the samples themselves, bandwidth and hum on spectra.
 */

import type { Quality, QualityEvent, UnavailableReason } from '../result.ts';
import { STAGE_SAMPLES, type StagedBlock } from '../signal/block-stage.ts';
import type { DoubleRegion, FloatRegion, Kernels } from '../signal/kernels.ts';
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
  /** `magnitudes` is the address of one frame of the pitch spectrum, in bins `binHz` apart. */
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
  const merged = {
    loudest: kernels.allocateFloats(STRETCHES_MAX),
    squares: kernels.allocateDoubles(STRETCHES_MAX),
  };
  const channels = Array.from({ length: channelCount }, (_, channel) =>
    createChannelInspector(kernels, sampleRateHz, channel, { readStretches, merged, onEvent: events.add }),
  );
  let sampleCount = 0;

  return {
    take(block) {
      const stretchCount = Math.ceil(block.sampleCount / STRETCH_SAMPLES);
      merged.loudest.view.fill(0);
      merged.squares.view.fill(0);
      block.channels.forEach((pointer, channel) => {
        channels[channel]!.take(pointer, block.sampleCount, block.peaks[channel]!);
      });
      silence.take(merged.loudest.view.subarray(0, stretchCount));
      noiseFloor.take(merged.squares.view, stretchCount);
      const [left, right] = block.channels;
      if (stereo !== null && left !== undefined && right !== undefined) {
        const [leftSquares, rightSquares] = channels.map(({ totals }) => totals.view[1]!);
        stereo.take(left, right, leftSquares!, rightSquares!, block.sampleCount);
      }
      sampleCount += block.sampleCount;
    },
    observePitchSpectrum: hum.take,
    finish({ spectrum, nonFiniteSamples, durationSeconds }) {
      for (const channel of channels) channel.finish();
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

/** Inspects one channel and merges its stretches into those of all channels. */
function createChannelInspector(
  kernels: Kernels,
  sampleRateHz: number,
  channel: number,
  shared: {
    readStretches: ReturnType<typeof createStretchReader>;
    /** The largest peak and the sum of squares of every stretch over all channels, for the present block. */
    merged: { loudest: FloatRegion; squares: DoubleRegion };
    onEvent: (event: QualityEvent) => void;
  },
) {
  const { readStretches, merged, onEvent } = shared;
  const clipping = createClippingDetector(kernels, sampleRateHz, channel, onEvent);
  const clicks = createClickDetector(sampleRateHz, channel, STRETCHES_MAX, onEvent);
  const dropouts = createDropoutDetector(sampleRateHz, channel, onEvent);
  /** The sum of all samples so far, and that of the squares of the present block. */
  const totals = kernels.allocateDoubles(2);
  return {
    totals,
    take(pointer: number, sampleCount: number, peak: number): void {
      clipping.take(pointer, sampleCount, peak);
      const stretches = readStretches(pointer, sampleCount);
      clicks.take(stretches.jolts);
      dropouts.take(stretches.peaks);
      kernels.exports.gatherStretches(
        stretches.pointer,
        stretches.stride,
        stretches.count,
        merged.loudest.pointer,
        merged.squares.pointer,
        totals.pointer,
      );
    },
    finish: clipping.finish,
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
