/**
 * Results for language models, whose context is limited: the full result of a four-minute song is a quarter of a megabyte. The summary
 * fits on a page, and each group can be read on its own.
 */

import { FEATURE_GROUPS } from '@earshot/contract';
import type { AnalysisState, FullResult } from './backend.ts';

export type Group = (typeof FEATURE_GROUPS)[number];

/** Longer lists are cut and their length is given. Keeps all sections of most songs, and enough beats to show the pattern. */
const ITEMS_MAX = 40;
/** Gives times of up to 16 minutes to the hundredth of a second. */
const SIGNIFICANT_DIGITS = 5;
/** Few songs have more chords that matter. */
const CHORDS_MAX = 8;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The summary of a result, without null values; while there is none, the state of the analysis. */
export function compactResult(analysis: AnalysisState): Record<string, Json> {
  const { id, name, status, result } = analysis;
  if (result === null) return { id, name, status, progress: analysis.progress, error: analysis.error };
  const { rhythm, tonal, structure, quality } = result;
  return dropNulls({
    id,
    name: name ?? textOf(result.file?.tags.title),
    status,
    duration_seconds: round(result.duration_seconds),
    bpm: round(result.bpm),
    bpm_confidence: round(result.bpm_confidence),
    bpm_alternatives: shorten(rhythm?.alternatives.map(({ bpm }) => bpm) ?? null),
    beats: rhythm?.beats.length ?? null,
    beats_in_a_bar: result.time_signature,
    key: result.key_notation,
    key_confidence: round(result.key_confidence),
    camelot: result.camelot,
    key_alternatives: shorten(tonal?.alternatives.map(({ key, scale }) => `${key} ${scale}`) ?? null),
    chords: mostPlayedChords(result),
    loudness_lufs: round(result.loudness_lufs),
    true_peak_dbtp: round(result.true_peak_dbtp),
    energy: round(result.energy),
    danceability: round(result.danceability),
    valence: round(result.valence),
    genres: shorten(result.genre_suggestions),
    moods: shorten(result.mood_tags),
    instruments: shorten(result.tags?.instruments.map(({ label }) => label) ?? null),
    voice_presence: round(result.content?.voice_presence ?? null),
    sections: shorten(
      structure?.sections.map(
        ({ label, start_seconds, end_seconds }) =>
          `${label} ${start_seconds.toFixed(1)}-${end_seconds.toFixed(1)} s`,
      ) ?? null,
    ),
    quality_events: shorten(quality?.events.map(({ kind }) => kind) ?? null),
    unavailable: Object.keys(result.unavailable).length > 0 ? result.unavailable : null,
    groups: FEATURE_GROUPS.filter((group) => result[group] !== null),
  });
}

/** One group; its long lists are cut and its numbers rounded unless `full`. */
export function compactGroup(result: FullResult, group: Group, full: boolean): Json {
  const value = result[group] as Json;
  return full ? value : shorten(value);
}

/** Chords by their total duration, longest first. */
function mostPlayedChords({ tonal }: FullResult): Json {
  if (tonal === null) return null;
  const secondsByLabel = new Map<string, number>();
  for (const { label, start_seconds, end_seconds } of tonal.chords) {
    if (label !== 'N')
      secondsByLabel.set(label, (secondsByLabel.get(label) ?? 0) + end_seconds - start_seconds);
  }
  return [...secondsByLabel]
    .sort(([, a], [, b]) => b - a)
    .slice(0, CHORDS_MAX)
    .map(([label]) => label);
}

/** Cuts lists to their first items, with their full length, and numbers to five digits. */
function shorten(value: Json): Json {
  if (typeof value === 'number') return round(value);
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS_MAX).map(shorten);
    return value.length > ITEMS_MAX ? { count: value.length, first: items } : items;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item)]));
}

function round(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function dropNulls(value: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}
