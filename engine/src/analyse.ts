/**
 * One analysis, top to bottom: the table of contents of the engine.
 *
 * Samples stream in through `push`, which keeps only compact frames; `finish` answers the musical questions from those frames. The result
 * does not depend on how the stream was divided into blocks.
 */

import { assembleResult, type Measurements } from './assemble-result.ts';
import { createChromaprintCollector } from './fingerprint/chromaprint.ts';
import {
  type AnalysisModels,
  hearMusic,
  MUSIC_NOT_REQUESTED,
  MUSICAL_GROUPS,
  type ProgressListener,
} from './hear-music.ts';
import { createLoudnessMeter } from './loudness/loudness.ts';
import { ParameterError } from './parameter-error.ts';
import { createQualityInspector } from './quality/quality.ts';
import { type AnalysisOptions, type AnalysisResult, FEATURE_GROUPS, type FeatureGroup } from './result.ts';
import { describeSegments } from './segments/describe-segments.ts';
import { createBlockStage, STAGE_SAMPLES, type StagedBlock } from './signal/block-stage.ts';
import { ANALYSIS_RATE_HZ, createFrontEnd, PITCH_FRAMES, type SpectralFrames } from './signal/front-end.ts';
import { createKernels, type Kernels } from './signal/kernels.ts';
import { createMeanSpectrumMeter } from './signal/mean-spectrum.ts';
import { createMonoMixer } from './signal/mono-mixer.ts';
import type { PcmBlock, PcmFormat } from './signal/pcm.ts';
import { createPatchKeeper, type KeptPatch } from './tags/patch-keeper.ts';
import { measureTimbre } from './timbre/timbre.ts';
import { drawVisuals } from './visuals.ts';
import { createWaveformCollector } from './waveform/waveform.ts';

/** Whether any of the groups was requested. */
type Needs = (...groups: readonly FeatureGroup[]) => boolean;

const WITHOUT_MODELS: AnalysisModels = { beats: null, chords: null, tags: null, voice: null };

export type Analysis = {
  push(block: PcmBlock): void;
  finish(onProgress?: ProgressListener): AnalysisResult;
};

export function startAnalysis(
  format: PcmFormat,
  options: AnalysisOptions = {},
  models: AnalysisModels = WITHOUT_MODELS,
): Analysis {
  checkFormat(format);
  const wanted = new Set(options.features ?? FEATURE_GROUPS);
  const needs: Needs = (...groups) => groups.some((group) => wanted.has(group));
  const kernels = createKernels();
  const meters = createMeters(kernels, format, models, needs);
  const stage = createBlockStage(kernels, format.channelCount, meters.take);

  return {
    push: stage.push,
    finish(onProgress = () => {}) {
      onProgress('spectra', 0);
      const { nonFiniteSamples } = stage.finish();
      const { frames, patches, ...measured } = meters.finish(nonFiniteSamples);
      const { loudness } = measured.loudness;
      const music = needs(...MUSICAL_GROUPS)
        ? hearMusic({ frames, loudness, patches, hints: options.hints, models }, onProgress)
        : MUSIC_NOT_REQUESTED;
      onProgress('summary', 0.98);
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

type Meters = {
  take(block: StagedBlock): void;
  finish(nonFiniteSamples: number): Measurements & { frames: SpectralFrames; patches: readonly KeptPatch[] };
};

/** Everything that is measured on the samples while they stream in. */
function createMeters(kernels: Kernels, format: PcmFormat, models: AnalysisModels, needs: Needs): Meters {
  const { sampleRateHz, channelCount } = format;
  const mixer = createMonoMixer(kernels, channelCount);
  const mono = mixer.output;
  const inspector = createQualityInspector(kernels, format, {
    binHz: ANALYSIS_RATE_HZ / PITCH_FRAMES.fftSize,
    // Half the amplitude of a sine is at its negative frequency, and a Hann window has a mean of one half.
    sineGain: PITCH_FRAMES.fftSize / 4,
  });
  const spectrum = createMeanSpectrumMeter(kernels, sampleRateHz);
  const patchKeeper = models.tags && needs(...MUSICAL_GROUPS) ? createPatchKeeper(ANALYSIS_RATE_HZ) : null;
  const frontEnd = createFrontEnd(kernels, sampleRateHz, STAGE_SAMPLES, {
    pitch: inspector.observePitchSpectrum,
    samples: patchKeeper?.push,
  });
  const loudness = createLoudnessMeter(kernels, sampleRateHz, channelCount);
  const chromaprint = createChromaprintCollector(kernels, sampleRateHz, channelCount);
  const waveform = createWaveformCollector(kernels, sampleRateHz);
  return {
    take(block) {
      const { sampleCount } = block;
      loudness.take(block);
      if (needs('fingerprint')) chromaprint.take(block);
      mixer.mix(block);
      inspector.take(block);
      spectrum.take(mono.pointer, sampleCount);
      waveform.take(mono.pointer, sampleCount);
      frontEnd.push(mono.pointer, sampleCount);
    },
    finish(nonFiniteSamples) {
      const frames = frontEnd.finish();
      const { durationSeconds } = frames;
      const meanSpectrum = spectrum.finish();
      return {
        frames,
        patches: patchKeeper?.finish() ?? [],
        durationSeconds,
        loudness: loudness.finish(),
        quality: inspector.finish({ spectrum: meanSpectrum, nonFiniteSamples, durationSeconds }),
        timbre: measureTimbre(frames, meanSpectrum),
        waveform: waveform.finish(),
        chromaprint: chromaprint.finish(),
      };
    },
  };
}

/** Analyses audio whose blocks are all available. */
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

/** No common format exceeds 768 kHz or 64 channels (seventh-order ambisonics): more is the caller's mistake. */
const CHANNELS_MAX = 64;
const SAMPLE_RATE_HZ_MAX = 768_000;

function checkFormat({ sampleRateHz, channelCount }: PcmFormat): void {
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < 1 || sampleRateHz > SAMPLE_RATE_HZ_MAX) {
    throw new ParameterError(
      `sampleRateHz must be an integer from 1 to ${SAMPLE_RATE_HZ_MAX}, is ${sampleRateHz}`,
    );
  }
  if (!Number.isInteger(channelCount) || channelCount < 1 || channelCount > CHANNELS_MAX) {
    throw new ParameterError(`channelCount must be an integer from 1 to ${CHANNELS_MAX}, is ${channelCount}`);
  }
}
