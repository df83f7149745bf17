/**
 * One analysis, top to bottom: the table of contents of the engine.
 *
 * While the samples stream in (`push`), memory stays constant but for compact frames; when the stream ends (`finish`), the
 * musical questions are answered from those frames. The same samples give the same result, however they were cut into blocks.
 */

import { findReasonToAbstain, hasPlainPulse } from './content/abstention.ts';
import { describeContent } from './content/content.ts';
import { describeVoice, hearVoice } from './content/voice.ts';
import { computeDescriptors } from './descriptors/descriptors.ts';
import { createChromaprintCollector } from './fingerprint/chromaprint.ts';
import { EMBEDDING_VERSION, embed } from './fingerprint/embedding.ts';
import { createLoudnessMeter } from './loudness/loudness.ts';
import { ParameterError } from './parameter-error.ts';
import { createQualityInspector } from './quality/quality.ts';
import {
  type AnalysisOptions,
  type AnalysisResult,
  FEATURE_GROUPS,
  type FeatureGroup,
  type UnavailableReason,
} from './result.ts';
import { analyseRhythm } from './rhythm/analyse-rhythm.ts';
import { withoutPulse } from './rhythm/without-pulse.ts';
import { describeSegments } from './segments/describe-segments.ts';
import { createBlockStage, STAGE_SAMPLES, STAGE_STRIDE_SAMPLES } from './signal/block-stage.ts';
import { ANALYSIS_RATE_HZ, createFrontEnd, PITCH_FRAMES } from './signal/front-end.ts';
import { createKernels } from './signal/kernels.ts';
import { createMeanSpectrumMeter } from './signal/mean-spectrum.ts';
import type { PcmBlock, PcmFormat } from './signal/pcm.ts';
import { analyseStructure } from './structure/analyse-structure.ts';
import { summarise } from './summary.ts';
import { analyseTags } from './tags/analyse-tags.ts';
import { createPatchKeeper } from './tags/patch-keeper.ts';
import { hearStyle } from './tags/style.ts';
import { rateSung } from './tags/sung-odds.ts';
import { createTagListener, type TaggerModels } from './tags/tag-listener.ts';
import { measureTimbre } from './timbre/timbre.ts';
import { analyseTonal } from './tonal/analyse-tonal.ts';
import { hearHarmony } from './tonal/hear-harmony.ts';
import { withoutPitch } from './tonal/without-pitch.ts';
import { drawVisuals } from './visuals.ts';
import { createWaveformCollector } from './waveform/waveform.ts';

/** Weights of the networks, as bytes: the engine reads no files. Without one, its questions take the classical road. */
export type AnalysisModels = {
  beats: Uint8Array | null;
  chords: Uint8Array | null;
  tags: TaggerModels | null;
  voice: Uint8Array | null;
};

const WITHOUT_MODELS: AnalysisModels = { beats: null, chords: null, tags: null, voice: null };

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
  models: AnalysisModels = WITHOUT_MODELS,
): Analysis {
  checkFormat(format);
  const wanted = new Set(options.features ?? FEATURE_GROUPS);
  const needs = (...groups: FeatureGroup[]): boolean => groups.some((group) => wanted.has(group));
  const kernels = createKernels();
  const mono = kernels.allocateFloats(STAGE_SAMPLES);
  const quality = createQualityInspector(kernels, format, {
    binHz: ANALYSIS_RATE_HZ / PITCH_FRAMES.fftSize,
    sineGain: PITCH_FRAMES.fftSize / 4,
  });
  const spectrum = createMeanSpectrumMeter(kernels, format.sampleRateHz);
  // The taggers' hidden units are the embedding's ear for sound, tempo and key depend on the style, and so does whether anybody sings.
  const patches =
    models.tags && needs('tags', 'fingerprint', 'rhythm', 'tonal', 'structure', 'content')
      ? createPatchKeeper(ANALYSIS_RATE_HZ)
      : null;
  const frontEnd = createFrontEnd(kernels, format.sampleRateHz, STAGE_SAMPLES, {
    pitch: quality.observePitchSpectrum,
    samples: patches?.push,
  });
  const loudness = createLoudnessMeter(kernels, format.sampleRateHz, format.channelCount);
  const chromaprint = createChromaprintCollector(kernels, format.sampleRateHz, format.channelCount);
  const waveform = createWaveformCollector(kernels, format.sampleRateHz);
  const stage = createBlockStage(kernels, format.channelCount, (block) => {
    loudness.take(block);
    if (needs('fingerprint')) chromaprint.take(block);
    kernels.exports.mixToMono(
      block.channels[0]!,
      STAGE_STRIDE_SAMPLES,
      format.channelCount,
      mono.pointer,
      block.sampleCount,
    );
    quality.take(block);
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
      const meanSpectrum = spectrum.finish();
      const measured = loudness.finish();
      const inspected = quality.finish({
        spectrum: meanSpectrum,
        nonFiniteSamples,
        durationSeconds: frames.durationSeconds,
      });

      const coloured = measureTimbre(frames, meanSpectrum);

      onProgress('chord network', 0.05);
      const { hints } = options;
      // Bar lines lean on the chords, so that rhythm alone needs them too, and says the same as with everything else.
      const harmony = needs('rhythm', 'tonal', 'structure')
        ? hearHarmony({ ...frames, model: models.chords }, (done) =>
            onProgress('chord network', 0.05 + 0.2 * done),
          )
        : null;

      const kept = patches?.finish() ?? [];
      const listener = models.tags && createTagListener(models.tags, ANALYSIS_RATE_HZ);
      const style = harmony && listener && hearStyle(listener, kept);

      onProgress('rhythm', 0.25);
      const tracked = harmony
        ? analyseRhythm(
            { ...frames, hints, model: models.beats, chords: harmony.learned?.activation, style },
            (done, stage = 'rhythm') => onProgress(stage, 0.25 + 0.5 * done),
          )
        : null;

      onProgress('tonal', 0.75);
      const trackedBeats = tracked?.rhythm.beats ?? [];
      const pitched =
        harmony && needs('tonal', 'structure')
          ? analyseTonal({ ...frames, beats: trackedBeats, hints, harmony, style })
          : null;

      onProgress('content', 0.9);
      const told = describeContent(
        frames,
        trackedBeats.map(({ timeSeconds }) => timeSeconds),
      );
      const unmusical = findReasonToAbstain(told.content);
      const pulse = tracked && (unmusical ? withoutPulse(tracked.rhythm) : tracked.rhythm);
      const pitches = pitched && (unmusical ? withoutPitch() : pitched.tonal);

      const voice =
        models.voice && needs('content', 'structure')
          ? hearVoice(
              frames.mel,
              frames.rms,
              models.voice,
              told.content.regions,
              listener && rateSung(listener, kept),
            )
          : null;

      onProgress('structure', 0.92);
      const formed = needs('structure')
        ? analyseStructure({
            ...frames,
            beatsSeconds: pulse?.beats.map(({ timeSeconds }) => timeSeconds) ?? [],
            downbeatsSeconds: pulse?.downbeats.map(({ timeSeconds }) => timeSeconds) ?? [],
            tonal: pitches,
            loudness: measured.loudness.shortTerm,
            voice: voice?.curve ?? null,
          })
        : null;

      onProgress('tags', 0.94);
      const tagged = analyseTags(
        { patches: kept, listener, durationSeconds: frames.durationSeconds },
        told.content,
        (!unmusical && formed?.structure.sections) || [],
        unmusical,
      );
      const noMusic = unmusical ?? tagged.noMusic;
      const noPulse = pulse && !hasPlainPulse(pulse) ? noMusic : null;
      const rhythm = pulse && (noPulse ? withoutPulse(pulse) : pulse);
      const tonal = pitches && (noMusic ? withoutPitch() : pitches);

      onProgress('summary', 0.98);
      const rap = tagged.tags?.genres.find(
        ({ label, confidence }) => label === 'hip-hop' && confidence > 0.5,
      );
      const voiced = describeVoice(
        voice,
        models.voice === null ? 'no_model' : 'not_requested',
        told.content.regions,
        frames.durationSeconds,
        (seconds) =>
          rap?.spans.some((span) => seconds >= span.startSeconds && seconds < span.endSeconds) ?? false,
      );
      const described = computeDescriptors({ ...measured, ...coloured, ...told, ...voiced, rhythm, tonal });
      const groups: Groups = {
        durationSeconds: frames.durationSeconds,
        rhythm,
        tonal,
        structure: formed && (noMusic ? { ...formed.structure, sections: [] } : formed.structure),
        loudness: measured.loudness,
        quality: inspected.quality,
        timbre: coloured.timbre,
        content: { ...told.content, ...voiced.voice },
        waveform: waveform.finish(),
        fingerprint: {
          ...chromaprint.finish(),
          embedding: embed({ ...measured, ...coloured, rhythm, tonal, hidden: tagged.hidden }),
          embeddingVersion: EMBEDDING_VERSION,
        },
        tags: tagged.tags,
      };
      const unavailable: Record<string, UnavailableReason> = {
        ...measured.unavailable,
        ...inspected.unavailable,
        ...coloured.unavailable,
        ...told.unavailable,
        ...described.unavailable,
        ...explainAll(tracked && (noPulse ?? tracked.reason), [
          'rhythm.bpm',
          'rhythm.beats',
          'rhythm.time_signature',
        ]),
        ...explainAll(pitched && (noMusic ?? pitched.reason), ['tonal.key', 'tonal.chords']),
        ...explainAll(formed && (noMusic ?? formed.reason), ['structure.sections']),
        ...explainAll(groups.fingerprint?.chromaprint === null ? 'too_short' : null, [
          'fingerprint.chromaprint',
        ]),
        ...explainAll(groups.fingerprint?.embedding === null ? 'silence' : null, ['fingerprint.embedding']),
        ...explainAll(voiced.reason, ['content.voice_presence', 'instrumentalness']),
        ...explainAll(tagged.tags === null ? tagged.reason : null, ['tags']),
        ...explainAll(needs('tags') ? tagged.reason : 'not_requested', ['tags.genres', 'genre_suggestions']),
        ...explainAll(needs('tags') ? tagged.moodsReason : 'not_requested', ['tags.moods', 'mood_tags']),
      };
      const result = keepWanted(groups, unavailable, wanted);
      return {
        ...result,
        summary: { ...summarise({ ...groups, tags: result.tags }), ...described.descriptors },
        models: [
          ...(tracked?.models ?? []),
          ...(harmony?.models ?? []),
          ...(voice?.models ?? []),
          ...(listener?.models() ?? []),
        ],
        supplement: {
          visuals: drawVisuals(frames.mel, frames.pitch),
          segmentSounds: describeSegments(kernels, frames, result.rhythm, result.tonal),
        },
      };
    },
  };
}

type Groups = Omit<AnalysisResult, 'summary' | 'models' | 'unavailable' | 'supplement'>;

/** Groups nobody asked for go, and so do the reasons inside them: one reason stands for the whole group. */
function keepWanted(
  groups: Groups,
  unavailable: Record<string, UnavailableReason>,
  wanted: ReadonlySet<FeatureGroup>,
): Groups & Pick<AnalysisResult, 'unavailable'> {
  const kept = { ...groups, unavailable: { ...unavailable } };
  for (const group of FEATURE_GROUPS) {
    if (wanted.has(group)) continue;
    kept[group] = null;
    for (const name of Object.keys(kept.unavailable)) {
      if (name.startsWith(`${group}.`)) delete kept.unavailable[name];
    }
    kept.unavailable[group] = 'not_requested';
  }
  return kept;
}

function explainAll(
  reason: UnavailableReason | null | undefined,
  names: string[],
): Record<string, UnavailableReason> {
  return reason ? Object.fromEntries(names.map((name) => [name, reason])) : {};
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
