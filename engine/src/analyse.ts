/**
 * One analysis, top to bottom: the table of contents of the engine.
 *
 * While the samples stream in (`push`), memory stays constant but for compact frames; when the stream ends (`finish`), the
 * musical questions are answered from those frames. The same samples give the same result, however they were cut into blocks.
 */

import { createLoudnessMeter } from './loudness/loudness.ts';
import { ParameterError } from './parameter-error.ts';
import { createQualityInspector } from './quality/quality.ts';
import {
  type AnalysisOptions,
  type AnalysisResult,
  FEATURE_GROUPS,
  type UnavailableReason,
} from './result.ts';
import { createBlockStage, STAGE_SAMPLES, STAGE_STRIDE_SAMPLES } from './signal/block-stage.ts';
import { ANALYSIS_RATE_HZ, createFrontEnd, PITCH_FRAMES } from './signal/front-end.ts';
import { createKernels } from './signal/kernels.ts';
import type { PcmBlock, PcmFormat } from './signal/pcm.ts';
import { summarise } from './summary.ts';
import { createWaveformCollector } from './waveform/waveform.ts';

/** Weights of the networks, as bytes: the engine reads no files. Without one, its questions take the classical road. */
export type AnalysisModels = { beats: Uint8Array | null; chords: Uint8Array | null };

/** `fraction` of the work after the last sample, 0..1, as `stage` begins. */
export type ProgressListener = (stage: string, fraction: number) => void;

export type Analysis = {
  push(block: PcmBlock): void;
  finish(onProgress?: ProgressListener): AnalysisResult;
};

const CHANNELS_MAX = 64;
const SAMPLE_RATE_HZ_MAX = 768_000;

export function startAnalysis(
  format: PcmFormat,
  options: AnalysisOptions = {},
  _models: AnalysisModels = { beats: null, chords: null },
): Analysis {
  checkFormat(format);
  const wanted = new Set(options.features ?? FEATURE_GROUPS);
  const kernels = createKernels();
  const mono = kernels.allocateFloats(STAGE_SAMPLES);
  const quality = createQualityInspector(kernels, format, {
    binHz: ANALYSIS_RATE_HZ / PITCH_FRAMES.fftSize,
    sineGain: PITCH_FRAMES.fftSize / 4,
  });
  const frontEnd = createFrontEnd(kernels, format.sampleRateHz, STAGE_SAMPLES, {
    pitch: quality.observePitchSpectrum,
  });
  const loudness = createLoudnessMeter(kernels, format.sampleRateHz, format.channelCount);
  const waveform = createWaveformCollector(kernels, format.sampleRateHz);
  const stage = createBlockStage(kernels, format.channelCount, (block) => {
    loudness.take(block);
    kernels.exports.mixToMono(
      block.channels[0]!,
      STAGE_STRIDE_SAMPLES,
      format.channelCount,
      mono.pointer,
      block.sampleCount,
    );
    quality.take(block, mono.pointer);
    waveform.take(mono.pointer, block.sampleCount);
    frontEnd.push(mono.pointer, block.sampleCount);
  });

  return {
    push: stage.push,
    finish(onProgress = () => {}) {
      const unavailable: Record<string, UnavailableReason> = {};
      for (const group of FEATURE_GROUPS) if (!wanted.has(group)) unavailable[group] = 'not_requested';
      onProgress('spectra', 0);
      const { nonFiniteSamples } = stage.finish();
      const frames = frontEnd.finish();
      const inspected = quality.finish(nonFiniteSamples, frames.durationSeconds);
      const measured = loudness.finish();
      Object.assign(unavailable, measured.unavailable, inspected.unavailable);
      const groups = {
        durationSeconds: frames.durationSeconds,
        rhythm: null,
        tonal: null,
        structure: null,
        loudness: measured.loudness,
        quality: inspected.quality,
        timbre: null,
        content: null,
        waveform: wanted.has('waveform') ? waveform.finish() : null,
        fingerprint: null,
      };
      return { ...groups, summary: summarise(groups), models: [], unavailable };
    },
  };
}

/** The whole of an analysis for audio that is at hand. */
export function analyse(
  format: PcmFormat,
  blocks: Iterable<PcmBlock>,
  options: AnalysisOptions = {},
  models: AnalysisModels = { beats: null, chords: null },
): AnalysisResult {
  const analysis = startAnalysis(format, options, models);
  for (const block of blocks) analysis.push(block);
  return analysis.finish();
}

function checkFormat({ sampleRateHz, channelCount }: PcmFormat): void {
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < 1 || sampleRateHz > SAMPLE_RATE_HZ_MAX) {
    throw new ParameterError(
      `sampleRateHz must be an integer of 1 to ${SAMPLE_RATE_HZ_MAX}, is ${sampleRateHz}`,
    );
  }
  if (!Number.isInteger(channelCount) || channelCount < 1 || channelCount > CHANNELS_MAX) {
    throw new ParameterError(`channelCount must be an integer of 1 to ${CHANNELS_MAX}, is ${channelCount}`);
  }
}
