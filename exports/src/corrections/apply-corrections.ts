/**
 * Applies a person's corrections to a result. The heard result is not changed. The library list, the result, every export, the report
 * and shares all show what this function returns, so they agree.
 */

import { BEAT_TOLERANCE_SECONDS } from '../beat-grid.ts';
import { notationsOf } from '../key-name.ts';
import type { Beat, ResultDocument } from '../result-document.ts';
import { correctChords, correctKey } from './correct-harmony.ts';
import { correctRhythm } from './correct-rhythm.ts';
import { correctSections } from './correct-sections.ts';
import { CorrectionContradicts, type CorrectionKind, type Corrections, kindsOf } from './corrections.ts';

type CorrectedDocument = { document: ResultDocument; kinds: CorrectionKind[] };

/** Throws CorrectionContradicts if a correction cannot be true of this song. */
export function applyCorrections(heard: ResultDocument, corrections: Corrections): CorrectedDocument {
  return applyParts(heard, corrections, (contradiction) => {
    throw contradiction;
  });
}

/**
 * The same for corrections that were accepted earlier. A part that no longer fits, because a later version of the engine heard another
 * grid, is left out instead of failing the whole result. `kinds` names the parts that were applied.
 */
export function reapplyCorrections(heard: ResultDocument, corrections: Corrections): CorrectedDocument {
  return applyParts(heard, corrections, () => {});
}

type Part = { kinds: CorrectionKind[]; apply(document: ResultDocument): ResultDocument };

function applyParts(
  heard: ResultDocument,
  corrections: Corrections,
  onContradiction: (contradiction: CorrectionContradicts) => void,
): CorrectedDocument {
  const kinds: CorrectionKind[] = [];
  let document = heard;
  for (const part of partsOf(corrections)) {
    try {
      document = part.apply(document);
      kinds.push(...part.kinds);
    } catch (error) {
      if (!(error instanceof CorrectionContradicts)) throw error;
      onContradiction(error);
    }
  }
  if (kinds.length === 0) return { document: heard, kinds };
  return { document: dropSuppliedReasons(heard, placeOnBars(document, kinds)), kinds };
}

/** Rhythm comes first, because chords and sections are placed on its bars. */
function partsOf(corrections: Corrections): Part[] {
  const kinds = kindsOf(corrections);
  const parts: Part[] = [];
  const rhythmKinds = kinds.filter((kind) => kind === 'tempo' || kind === 'bars' || kind === 'beats');
  if (rhythmKinds.length > 0) {
    parts.push({ kinds: rhythmKinds, apply: (document) => withRhythm(document, corrections) });
  }
  const { key, chords, sections } = corrections;
  if (key != null) parts.push({ kinds: ['key'], apply: (document) => withKey(document, key) });
  if (chords != null) {
    parts.push({
      kinds: ['chords'],
      apply: (document) => ({
        ...document,
        tonal: correctChords(groupOf(document, 'tonal', 'chords'), document.duration_seconds, chords),
      }),
    });
  }
  if (sections != null) {
    parts.push({
      kinds: ['sections'],
      apply: (document) => ({
        ...document,
        structure: correctSections(
          groupOf(document, 'structure', 'sections'),
          document.duration_seconds,
          sections,
        ),
      }),
    });
  }
  return parts;
}

/** A message about a missing rhythm names the first of these that is given. */
const RHYTHM_MEMBERS = ['tempo', 'first_downbeat_seconds', 'shift_beats', 'beats_per_bar', 'beats'] as const;

function withRhythm(document: ResultDocument, corrections: Corrections): ResultDocument {
  const member = RHYTHM_MEMBERS.find((name) => corrections[name] != null)!;
  const heard = groupOf(document, 'rhythm', member);
  const rhythm = correctRhythm(heard, document.duration_seconds, corrections);
  return {
    ...document,
    bpm: rhythm.bpm,
    bpm_confidence: rhythm.confidence,
    time_signature: rhythm.time_signature?.beats_per_bar ?? null,
    rhythm,
  };
}

function withKey(document: ResultDocument, key: string): ResultDocument {
  const tonal = correctKey(groupOf(document, 'tonal', 'key'), document.duration_seconds, key);
  const name = { key: tonal.key!, scale: tonal.scale! };
  return { ...document, ...name, ...notationsOf(name), key_confidence: 1, tonal };
}

function groupOf<G extends 'rhythm' | 'tonal' | 'structure'>(
  document: ResultDocument,
  group: G,
  member: string,
): NonNullable<ResultDocument[G]> {
  const value = document[group];
  if (value !== null) return value as NonNullable<ResultDocument[G]>;
  throw new CorrectionContradicts([member], `this result has no ${group} to correct`);
}

/** Removes the reasons for missing values that a correction has supplied. */
function dropSuppliedReasons(heard: ResultDocument, document: ResultDocument): ResultDocument {
  const isPresent = (result: ResultDocument, path: string): boolean => {
    const value = path
      .split('.')
      .reduce((part: unknown, name) => (part as Record<string, unknown> | null)?.[name], result);
    return value != null && !(Array.isArray(value) && value.length === 0);
  };
  const reasons = Object.entries(document.unavailable);
  const remaining = reasons.filter(([path]) => isPresent(heard, path) || !isPresent(document, path));
  return { ...document, unavailable: Object.fromEntries(remaining) };
}

/** Updates the bars and beats of chords and sections, and the tempo and key of sections, after the parts they depend on. */
function placeOnBars(document: ResultDocument, kinds: readonly CorrectionKind[]): ResultDocument {
  const isTempoStale = kinds.some((kind) => kind === 'tempo' || kind === 'beats' || kind === 'sections');
  const beats = document.rhythm?.beats ?? [];
  const place = <C extends { start_seconds: number }>(chord: C) => {
    const beat = lastBeatAt(beats, chord.start_seconds + BEAT_TOLERANCE_SECONDS);
    return { ...chord, bar: beat?.bar ?? null, beat: beat?.beat_in_bar ?? null };
  };
  const correctedKey = kinds.includes('key') ? document.key_notation : null;
  const sections = document.structure?.sections.map((section) => ({
    ...section,
    start_bar: lastBeatAt(beats, section.start_seconds + BEAT_TOLERANCE_SECONDS)?.bar ?? null,
    bpm: (isTempoStale ? tempoWithin(beats, section) : null) ?? section.bpm,
    key: correctedKey ?? section.key,
  }));
  return {
    ...document,
    tonal: document.tonal && {
      ...document.tonal,
      chords: document.tonal.chords.map(place),
      chords_sevenths: document.tonal.chords_sevenths.map(place),
    },
    structure: document.structure && { ...document.structure, sections: sections ?? [] },
  };
}

function lastBeatAt(beats: readonly Beat[], seconds: number): Beat | null {
  let low = 0;
  let high = beats.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (beats[middle]!.time_seconds <= seconds) low = middle + 1;
    else high = middle;
  }
  return beats[low - 1] ?? null;
}

/** The tempo of the median distance between beats; null if the span has fewer than three. */
function tempoWithin(
  beats: readonly Beat[],
  span: { start_seconds: number; end_seconds: number },
): number | null {
  const timesSeconds = beats
    .map((beat) => beat.time_seconds)
    .filter((seconds) => seconds >= span.start_seconds && seconds < span.end_seconds);
  if (timesSeconds.length < 3) return null;
  const distancesSeconds = timesSeconds
    .slice(1)
    .map((seconds, index) => seconds - timesSeconds[index]!)
    .sort((a, b) => a - b);
  return 60 / distancesSeconds[distancesSeconds.length >> 1]!;
}
