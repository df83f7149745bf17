/**
 * For how much of the time is the chord right? Weighted chord symbol recall with the comparison rules of MIREX 2013: by root, and by
 * root and triad where the annotation is major, minor or no chord. Pauwels, Peeters, "Evaluating Automatically Estimated Chord
 * Sequences", ICASSP 2013.
 */

import { parsePitchClass } from './pitch-class.ts';
import { fillTo, type Span, withoutOverlaps } from './spans.ts';

/** The triad of each of Harte's shorthands (Harte et al., ISMIR 2005): above the root, without sevenths and tensions. */
const TRIAD_SEMITONES: Record<string, readonly number[]> = {
  '': [0, 4, 7],
  maj: [0, 4, 7],
  min: [0, 3, 7],
  dim: [0, 3, 6],
  aug: [0, 4, 8],
  sus2: [0, 2, 7],
  sus4: [0, 5, 7],
  maj7: [0, 4, 7],
  min7: [0, 3, 7],
  '7': [0, 4, 7],
  minmaj7: [0, 3, 7],
  hdim7: [0, 3, 6],
  dim7: [0, 3, 6],
  maj6: [0, 4, 7],
  min6: [0, 3, 7],
  '9': [0, 4, 7],
  maj9: [0, 4, 7],
  min9: [0, 3, 7],
  '11': [0, 4, 7],
  '13': [0, 4, 7],
  '5': [0, 7],
  '1': [0],
};

type ParsedChord = { kind: 'none' } | { kind: 'unscored' } | { kind: 'chord'; root: number; triad: string };

export function parseChord(label: string): ParsedChord {
  if (label === 'N' || label === '') return { kind: 'none' };
  const match = /^([A-G][#b]*):?([^/]*)(?:\/.*)?$/.exec(label);
  if (label === 'X' || !match) return { kind: 'unscored' };
  const quality = match[2]!.replace(/\(.*\)$/, '');
  const triad =
    TRIAD_SEMITONES[quality] ?? (quality.startsWith('min') ? TRIAD_SEMITONES.min! : TRIAD_SEMITONES.maj!);
  return { kind: 'chord', root: parsePitchClass(match[1]!), triad: triad.join() };
}

/** Shares of the scored time; null where the annotation has nothing that can be scored. */
export type ChordRecall = { root: number | null; majMin: number | null };

/** Null without an annotation. */
export function chordRecall(reference: readonly Span[], estimate: readonly Span[]): ChordRecall | null {
  const references = withoutOverlaps(reference);
  const [first, last] = [references[0], references.at(-1)];
  if (!first || !last) return null;
  const estimates = fillTo(withoutOverlaps(estimate), first.start, last.end, 'N');
  const cutsSeconds = [
    ...new Set([...references, ...estimates].flatMap((span) => [span.start, span.end])),
  ].sort((a, b) => a - b);
  const rootTime = { rightSeconds: 0, scoredSeconds: 0 };
  const majMinTime = { rightSeconds: 0, scoredSeconds: 0 };
  for (let i = 0; i + 1 < cutsSeconds.length; i++) {
    const seconds = cutsSeconds[i + 1]! - cutsSeconds[i]!;
    const middleSeconds = (cutsSeconds[i]! + cutsSeconds[i + 1]!) / 2;
    const truth = labelAt(references, middleSeconds);
    if (truth === null) continue;
    const verdict = compareChords(parseChord(truth), parseChord(labelAt(estimates, middleSeconds) ?? 'N'));
    for (const [time, right] of [
      [rootTime, verdict.root],
      [majMinTime, verdict.majMin],
    ] as const) {
      if (right === null) continue;
      time.scoredSeconds += seconds;
      if (right) time.rightSeconds += seconds;
    }
  }
  return { root: shareOf(rootTime), majMin: shareOf(majMinTime) };
}

/** Null where the annotated chord is not scored. */
function compareChords(
  truth: ParsedChord,
  guess: ParsedChord,
): { root: boolean | null; majMin: boolean | null } {
  if (truth.kind === 'unscored') return { root: null, majMin: null };
  if (truth.kind === 'none') return { root: guess.kind === 'none', majMin: guess.kind === 'none' };
  const sameRoot = guess.kind === 'chord' && guess.root === truth.root;
  const scored = truth.triad === '0,4,7' || truth.triad === '0,3,7';
  return { root: sameRoot, majMin: scored ? sameRoot && guess.triad === truth.triad : null };
}

function labelAt(spans: readonly Span[], seconds: number): string | null {
  return spans.find((span) => seconds >= span.start && seconds <= span.end)?.label ?? null;
}

function shareOf(time: { rightSeconds: number; scoredSeconds: number }): number | null {
  return time.scoredSeconds > 0 ? time.rightSeconds / time.scoredSeconds : null;
}
