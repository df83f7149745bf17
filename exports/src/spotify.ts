import { listSegments, readSegmentSound } from '@earshot/engine';
import type { ExportSource } from './export-source.ts';
import { parseKey, pitchClassOf } from './pitch-class.ts';
import type { ResultDocument } from './result-document.ts';

/**
 * Our estimates with the fields and scales of Spotify's retired audio-features and audio-analysis objects, so that programs written for
 * those keep working. Values that we do not estimate are null; an unknown key is -1, as it was in Spotify's objects.
 */

export function writeSpotifyAudioFeatures(source: ExportSource): string {
  const { document } = source;
  return JSON.stringify({
    type: 'audio_features',
    id: source.analysisId,
    uri: null,
    track_href: null,
    analysis_url: null,
    duration_ms: Math.round(document.duration_seconds * 1000),
    danceability: document.danceability,
    energy: document.energy,
    key: document.key === null ? -1 : (pitchClassOf(document.key) ?? -1),
    mode: modeNumber(document.scale),
    loudness: document.loudness_lufs,
    speechiness: document.speechiness,
    acousticness: document.acousticness,
    instrumentalness: document.instrumentalness,
    liveness: null,
    valence: document.valence,
    tempo: document.bpm,
    time_signature: document.time_signature,
  });
}

export function writeSpotifyAudioAnalysis(source: ExportSource): string {
  const { document } = source;
  const beats = intervals(document.rhythm?.beats ?? [], document.duration_seconds);
  return JSON.stringify({
    meta: {
      analyzer_version: `earshot ${document.provenance.engine_version}`,
      platform: 'Earshot',
      detailed_status: 'OK',
      status_code: 0,
      timestamp: Math.floor(source.completedAt.getTime() / 1000),
      analysis_time: document.provenance.analysis_seconds,
      input_process: document.provenance.decoder,
    },
    track: trackOf(document),
    bars: intervals(document.rhythm?.downbeats ?? [], document.duration_seconds),
    beats,
    tatums: tatumsOf(beats),
    sections: sectionsOf(document),
    segments: segmentsOf(source),
  });
}

function trackOf(document: ResultDocument) {
  const { file, rhythm, structure } = document;
  return {
    num_samples: Math.round(document.duration_seconds * file.sample_rate_hz),
    duration: document.duration_seconds,
    offset_seconds: 0,
    window_seconds: 0,
    analysis_sample_rate: file.sample_rate_hz,
    analysis_channels: file.channels,
    end_of_fade_in: structure?.segments.fade_in_end_seconds ?? 0,
    start_of_fade_out: structure?.segments.fade_out_start_seconds ?? document.duration_seconds,
    loudness: document.loudness_lufs,
    tempo: document.bpm,
    tempo_confidence: document.bpm_confidence,
    time_signature: document.time_signature,
    time_signature_confidence: rhythm?.time_signature?.confidence ?? null,
    key: document.key === null ? -1 : (pitchClassOf(document.key) ?? -1),
    key_confidence: document.key_confidence,
    mode: modeNumber(document.scale),
    mode_confidence: document.key_confidence,
  };
}

/** In seconds, with the field names of the original. */
type Interval = { start: number; duration: number; confidence: number };

/** The smallest regular pulse: halves of beats. */
function tatumsOf(beats: readonly Interval[]): Interval[] {
  return beats.flatMap(({ start, duration, confidence }) => [
    { start, duration: duration / 2, confidence },
    { start: start + duration / 2, duration: duration / 2, confidence },
  ]);
}

function intervals(
  events: readonly { time_seconds: number; confidence: number }[],
  endSeconds: number,
): Interval[] {
  return events.map(({ time_seconds, confidence }, index) => ({
    start: time_seconds,
    duration: Math.max(0, (events[index + 1]?.time_seconds ?? endSeconds) - time_seconds),
    confidence,
  }));
}

function sectionsOf(document: ResultDocument) {
  return (document.structure?.sections ?? []).map((section) => {
    const key = section.key === null ? null : parseKey(section.key);
    return {
      start: section.start_seconds,
      duration: section.end_seconds - section.start_seconds,
      confidence: section.confidence,
      loudness: section.loudness_lufs,
      tempo: section.bpm,
      tempo_confidence: document.bpm_confidence,
      key: key?.pitchClass ?? -1,
      key_confidence: document.key_confidence,
      mode: modeNumber(key?.scale ?? null),
      mode_confidence: document.key_confidence,
      time_signature: document.time_signature,
      time_signature_confidence: document.rhythm?.time_signature?.confidence ?? null,
    };
  });
}

/** One segment from the beginning to the first onset, and one from each onset to the next. */
function segmentsOf({ document, supplement }: ExportSource) {
  const { rhythm, loudness } = document;
  if (rhythm === null) return [];
  const onsetsSeconds = rhythm.onsets.map(({ time_seconds }) => time_seconds);
  const sounds = supplement?.segmentSounds ?? null;
  const curve = loudness?.momentary ?? null;
  return listSegments(onsetsSeconds, document.duration_seconds).map((span, index) => {
    const { startSeconds, endSeconds } = span;
    const strength = span.onsetIndex === null ? 0 : rhythm.onsets[span.onsetIndex]!.strength;
    const sound = sounds && readSegmentSound(sounds, index);
    const peak = curve === null ? null : loudestIn(curve, startSeconds, endSeconds);
    return {
      start: startSeconds,
      duration: endSeconds - startSeconds,
      confidence: Math.min(1, Math.max(0, strength)),
      loudness_start: curve === null ? null : loudnessLufsAt(curve, startSeconds),
      loudness_max_time: peak === null ? null : peak.timeSeconds - startSeconds,
      loudness_max: peak?.loudnessLufs ?? null,
      loudness_end: curve === null ? null : loudnessLufsAt(curve, endSeconds),
      pitches: sound?.pitches.map(roundToThousandths) ?? null,
      timbre: sound?.timbre.map(roundToThousandths) ?? null,
    };
  });
}

/** Spotify's values had three decimals. */
function roundToThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

type LoudnessCurve = NonNullable<ResultDocument['loudness']>['momentary'];

function indexAt(curve: LoudnessCurve, seconds: number): number {
  const index = Math.round((seconds - curve.start_seconds) / curve.hop_seconds);
  return Math.min(Math.max(index, 0), curve.values.length - 1);
}

function loudnessLufsAt(curve: LoudnessCurve, seconds: number): number | null {
  return curve.values[indexAt(curve, seconds)] ?? null;
}

function loudestIn(
  curve: LoudnessCurve,
  startSeconds: number,
  endSeconds: number,
): { timeSeconds: number; loudnessLufs: number } | null {
  let best: { timeSeconds: number; loudnessLufs: number } | null = null;
  for (let index = indexAt(curve, startSeconds); index <= indexAt(curve, endSeconds); index++) {
    const loudnessLufs = curve.values[index] ?? null;
    if (loudnessLufs === null || (best !== null && loudnessLufs <= best.loudnessLufs)) continue;
    const timeSeconds = curve.start_seconds + index * curve.hop_seconds;
    best = { timeSeconds: Math.min(Math.max(timeSeconds, startSeconds), endSeconds), loudnessLufs };
  }
  return best;
}

function modeNumber(scale: 'major' | 'minor' | null): 0 | 1 | null {
  if (scale === null) return null;
  return scale === 'major' ? 1 : 0;
}
