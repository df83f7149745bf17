/** Corrects the key and individual chords. The spelling of chords and their Roman numerals follow the key. */

import { isChordQuality, keyNumberOf, spellPitchClass, toRomanNumeral } from '@earshot/engine';
import { HARTE_OF_CHART, isHarteQuality } from '../chord-label.ts';
import { readKeyName } from '../key-name.ts';
import { pitchClassOf } from '../pitch-class.ts';
import type { Tonal } from '../result-document.ts';
import { checkSpans } from './check-spans.ts';
import { CorrectionContradicts, type Corrections } from './corrections.ts';

type Chord = Tonal['chords'][number];
type KeySpan = Tonal['key_changes'][number];

export function correctKey(tonal: Tonal, durationSeconds: number, text: string): Tonal {
  const name = readKeyName(text);
  if (!name) throw new CorrectionContradicts(['key'], `"${text}" is no key; write "C minor", "Cm" or "5A"`);
  // A corrected key holds for the whole song.
  const span: KeySpan = { start_seconds: 0, end_seconds: durationSeconds, ...name, confidence: 1 };
  const respell = (chord: Chord): Chord => ({ ...chord, ...spell(chord.label, span) });
  return {
    ...tonal,
    ...name,
    confidence: 1,
    key_changes: [span],
    chords: tonal.chords.map(respell),
    chords_sevenths: tonal.chords_sevenths.map(respell),
  };
}

export function correctChords(
  tonal: Tonal,
  durationSeconds: number,
  given: NonNullable<Corrections['chords']>,
): Tonal {
  checkSpans('chords', given, durationSeconds);
  const spans = given.map(({ start_seconds, end_seconds, label }, index) => {
    const harte = toHarte(label);
    if (harte === null) {
      throw new CorrectionContradicts(
        ['chords', index, 'label'],
        `"${label}" is no chord; write "A:min7", "Am7" or "N"`,
      );
    }
    return { start_seconds, end_seconds: Math.min(end_seconds, durationSeconds), label: harte };
  });
  const replaceIn = (chords: readonly Chord[], toLabel: (label: string) => string): Chord[] => {
    const rest = chords.flatMap((chord) => cutOut(chord, spans));
    const corrected = spans.map(
      (span): Chord => ({
        ...span,
        ...spell(toLabel(span.label), keyAt(tonal, (span.start_seconds + span.end_seconds) / 2)),
        bar: null,
        beat: null,
        confidence: 1,
      }),
    );
    return [...rest, ...corrected].sort((a, b) => a.start_seconds - b.start_seconds);
  };
  return {
    ...tonal,
    chords: replaceIn(tonal.chords, toTriad),
    chords_sevenths: replaceIn(tonal.chords_sevenths, (label) => label),
  };
}

/** The rest of a chord next to a corrected one is dropped if it is shorter than this: a tenth of a beat at 120 BPM. */
const SLIVER_SECONDS = 0.05;

type Span = { start_seconds: number; end_seconds: number };

function cutOut(chord: Chord, spans: readonly Span[]): Chord[] {
  let pieces: Chord[] = [chord];
  for (const span of spans) {
    pieces = pieces.flatMap((piece) => {
      if (span.end_seconds <= piece.start_seconds || span.start_seconds >= piece.end_seconds) return [piece];
      return [
        { ...piece, end_seconds: span.start_seconds },
        { ...piece, start_seconds: span.end_seconds },
      ].filter((rest) => rest.end_seconds - rest.start_seconds > SLIVER_SECONDS);
    });
  }
  return pieces;
}

function keyAt(tonal: Tonal, seconds: number): KeySpan | null {
  return tonal.key_changes.find((span) => seconds < span.end_seconds) ?? tonal.key_changes.at(-1) ?? null;
}

const HARTE = /^([A-G][#b]?):([^/]+)(\/.*)?$/;

/** The label and the Roman numeral of a chord in that key. */
function spell(label: string, key: KeySpan | null): { label: string; roman: string | null } {
  const match = HARTE.exec(label);
  const root = match ? pitchClassOf(match[1]!) : null;
  if (!match || root === null) return { label, roman: null };
  const number = key === null ? null : keyNumberOf(key.key, key.scale);
  const quality = match[2]!;
  return {
    label: `${spellPitchClass(root, number)}:${quality}${match[3] ?? ''}`,
    roman: number === null || !isChordQuality(quality) ? null : toRomanNumeral(root, quality, number),
  };
}

const CHART = /^([A-G][#b]?)(.*?)(\/[A-G1-7b#]+)?$/;

/** Converts "Am7" or "A:min7" to "A:min7"; null if it is not a chord. */
function toHarte(label: string): string | null {
  if (label === 'N' || label === 'X') return label;
  const harte = HARTE.exec(label);
  const chart = harte ? null : CHART.exec(label);
  const quality = harte ? harte[2]! : chart ? HARTE_OF_CHART.get(chart[2]!) : undefined;
  if (quality === undefined || !isHarteQuality(quality)) return null;
  const [, root = '', , slash = ''] = (harte ?? chart)!;
  const bass = toDegree(root, slash.slice(1));
  return bass === null ? null : `${root}:${quality}${bass === '' ? '' : `/${bass}`}`;
}

const DEGREES = ['1', 'b2', '2', 'b3', '3', '4', 'b5', '5', 'b6', '6', 'b7', '7'];

/** The bass as a degree above the root, as in Harte's syntax, from a degree or from a note name; null if it is neither. */
function toDegree(root: string, bass: string): string | null {
  if (bass === '' || /^[b#]?[1-7]$/.test(bass)) return bass;
  const [from, to] = [pitchClassOf(root), pitchClassOf(bass)];
  return from === null || to === null ? null : DEGREES[(to - from + 12) % 12]!;
}

/** The major or minor triad of a chord, for the list without sevenths. */
function toTriad(label: string): string {
  const match = HARTE.exec(label);
  if (!match) return label;
  return `${match[1]}:${/^(min|dim|hdim)/.test(match[2]!) ? 'min' : 'maj'}`;
}
