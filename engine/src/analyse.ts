/**
 * One analysis, top to bottom: the table of contents of the engine.
 *
 * While the samples stream in (`push`), memory stays constant but for compact frames; when the stream ends (`finish`), the
 * musical questions are answered from those frames. The same samples give the same result, however they were cut into blocks.
 */

import { assembleResult } from './assemble-result.ts';
import { createChromaprintCollector } from './fingerprint/chromaprint.ts';
import { type AnalysisModels, hearMusic, type ProgressListener } from './hear-music.ts';
import { createLoudnessMeter } from './loudness/loudness.ts';
import { ParameterError } from './parameter-error.ts';
import { createQualityInspector } from './quality/quality.ts';
import { type AnalysisOptions, type AnalysisResult, FEATURE_GROUPS, type FeatureGroup } from './result.ts';
import { describeSegments } from './segments/describe-segments.ts';
import { createBlockStage, STAGE_SAMPLES, STAGE_STRIDE_SAMPLES } from './signal/block-stage.ts';
import { ANALYSIS_RATE_HZ, createFrontEnd, PITCH_FRAMES } from './signal/front-end.ts';
import { createKernels } from './signal/kernels.ts';
import { createMeanSpectrumMeter } from './signal/mean-spectrum.ts';
import type { PcmBlock, PcmFormat } from './signal/pcm.ts';
import { createPatchKeeper } from './tags/patch-keeper.ts';
import { measureTimbre } from './timbre/timbre.ts';
import { drawVisuals } from './visuals.ts';
import { createWaveformCollector } from './waveform/waveform.ts';

const WITHOUT_MODELS: AnalysisModels = { beats: null, chords: null, tags: null, voice: null };

export type Analysis = {
  push(block: PcmBlock): void;
  finish(onProgress?: ProgressListener): AnalysisResult;
};

/** Far above any recording: a format beyond is a mistake of the caller. */
const CHANNELS_MAX = 64;
const SAMPLE_RATE_HZ_MAX = 768_000;

export function startAnalysis(
  format: PcmFormat,
  options: AnalysisOptions = {},
  models: AnalysisModels = WITHOUT_MODELS,
): Analysis {
  checkFormat(format);
  const wanted = new Set(options.features ?? FEATURE_GROUPS);
  const needs = (...groups: FeatureGroup[]): boolean => groups.some((group) => wanted.has(group));
  const kernels = createKernels();
  const mono = kernels.allocateFloats(STAGE_SAMPLES);
  const inspector = createQualityInspector(kernels, format, {
    binHz: ANALYSIS_RATE_HZ / PITCH_FRAMES.fftSize,
    sineGain: PITCH_FRAMES.fftSize / 4,
  });
  const spectrum = createMeanSpectrumMeter(kernels, format.sampleRateHz);
  // The taggers' hidden units are the embedding's ear for sound, tempo and key depend on the style, and so does whether anybody sings.
  const patchKeeper =
    models.tags && needs('tags', 'fingerprint', 'rhythm', 'tonal', 'structure', 'content')
      ? createPatchKeeper(ANALYSIS_RATE_HZ)
      : null;
  const frontEnd = createFrontEnd(kernels, format.sampleRateHz, STAGE_SAMPLES, {
    pitch: inspector.observePitchSpectrum,
    samples: patchKeeper?.push,
  });
  const loudnessMeter = createLoudnessMeter(kernels, format.sampleRateHz, format.channelCount);
  const chromaprint = createChromaprintCollector(kernels, format.sampleRateHz, format.channelCount);
  const waveform = createWaveformCollector(kernels, format.sampleRateHz);
  const stage = createBlockStage(kernels, format.channelCount, (block) => {
    loudnessMeter.take(block);
    if (needs('fingerprint')) chromaprint.take(block);
    kernels.exports.mixToMono(
      block.channels[0]!,
      STAGE_STRIDE_SAMPLES,
      format.channelCount,
      mono.pointer,
      block.sampleCount,
    );
    inspector.take(block);
    spectrum.take(mono.pointer, block.sampleCount);
    waveform.take(mono.pointer, block.sampleCount);
    frontEnd.push(mono.pointer, block.sampleCount);
  });

  return {
    push: stage.push,
    finish(onProgress = () => {}) {
      onProgress('spectra', 0);
      const { nonFiniteSamples } = stage.finish();
      const frames = frontEnd.finish();
      const { durationSeconds } = frames;
      const meanSpectrum = spectrum.finish();
      const loudness = loudnessMeter.finish();
      const quality = inspector.finish({ spectrum: meanSpectrum, nonFiniteSamples, durationSeconds });
      const timbre = measureTimbre(frames, meanSpectrum);
      const music = hearMusic(
        {
          frames,
          loudness: loudness.loudness,
          patches: patchKeeper?.finish() ?? [],
          hints: options.hints,
          models,
          needs,
        },
        onProgress,
      );
      onProgress('summary', 0.98);
      const measured = {
        ...{ durationSeconds, loudness, quality, timbre },
        waveform: waveform.finish(),
        chromaprint: chromaprint.finish(),
      };
      const result = assembleResult(measured, music, wanted);
      return {
        ...result,
        supplement: {
          visuals: drawVisuals(frames.mel, frames.pitch),
          segmentSounds: describeSegments(kernels, frames, result),
        },
      };
    },
  };
}

/** The whole of an analysis for audio that is at hand. */
export function analyse(
  format: PcmFormat,
  blocks: Iterable<PcmBlock>,
  options: AnalysisOptions = {},
  models: AnalysisModels = WITHOUT_MODELS,
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
