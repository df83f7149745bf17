/**
 * For how much of the time is the chord right? Weighted chord symbol recall with the comparison rules of MIREX 2013: by root, and by
 * root and triad where the annotation is major, minor or no chord. Pauwels, Peeters, "Evaluating Automatically Estimated Chord
 * Sequences", ICASSP 2013.
 */

import { parsePitchClass } from './pitch-class.ts';
import { fillTo, type Span, withoutOverlaps } from './spans.ts';

type ParsedChord =
  | { kind: 'none' }
  | { kind: 'unscored' }
  /** `triad` in semitones above the root, such as '0,4,7'. */
  | { kind: 'chord'; rootPitchClass: number; triad: string };

export function parseChord(label: string): ParsedChord {
  if (label === 'N' || label === '') return { kind: 'none' };
  const match = /^([A-G][#b]*):?([^(/]*)(?:\((.*)\))?(?:\/.*)?$/.exec(label);
  if (label === 'X' || !match) return { kind: 'unscored' };
  const [, root, shorthand, intervals = ''] = match;
  return {
    kind: 'chord',
    rootPitchClass: parsePitchClass(root!),
    triad: triadOf(shorthand!, intervals).join(),
  };
}

const MAJOR_SEMITONES = [0, 4, 7];

/** The triads of Harte's shorthands (Harte et al., ISMIR 2005), without sevenths and tensions, where not major. */
const TRIADS: readonly { shorthand: RegExp; semitones: readonly number[] }[] = [
  { shorthand: /^min/, semitones: [0, 3, 7] },
  { shorthand: /^h?dim/, semitones: [0, 3, 6] },
  { shorthand: /^aug/, semitones: [0, 4, 8] },
  { shorthand: /^sus2/, semitones: [0, 2, 7] },
  { shorthand: /^sus4/, semitones: [0, 5, 7] },
  { shorthand: /^5$/, semitones: [0, 7] },
  { shorthand: /^1$/, semitones: [0] },
];

/**
 * Semitones above the root. A shorthand that is not Harte's counts as the triad that it begins with, otherwise as major, to which those of
 * other dialects, such as 6 and add9, mostly add.
 */
function triadOf(shorthand: string, intervals: string): number[] {
  const triad = TRIADS.find((candidate) => candidate.shorthand.test(shorthand))?.semitones ?? MAJOR_SEMITONES;
  // Without a shorthand the intervals are the whole chord; the root may be left out (as in mir_eval's chord.py).
  const semitones = new Set(shorthand === '' && intervals !== '' ? [0] : triad);
  for (const interval of intervals.split(',')) {
    const [, omitted, accidentals, degree] = /^(\*?)([#b]*)([1-5])$/.exec(interval.trim()) ?? [];
    // Degrees above the fifth are no part of the triad.
    if (degree === undefined) continue;
    // In C the degrees are C, D, E, F and G.
    const semitone = parsePitchClass('CDEFG'[Number(degree) - 1]! + accidentals);
    if (omitted) semitones.delete(semitone);
    else semitones.add(semitone);
  }
  return [...semitones].sort((a, b) => a - b);
}

/** Shares of the scored time; null where the annotation has nothing that can be scored. */
export type ChordRecall = { rootShare: number | null; majMinShare: number | null };

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
      [rootTime, verdict.rightRoot],
      [majMinTime, verdict.rightMajMin],
    ] as const) {
      if (right === null) continue;
      time.scoredSeconds += seconds;
      if (right) time.rightSeconds += seconds;
    }
  }
  return { rootShare: shareOf(rootTime), majMinShare: shareOf(majMinTime) };
}

/** Null where the annotated chord is not scored. */
function compareChords(
  truth: ParsedChord,
  guess: ParsedChord,
): { rightRoot: boolean | null; rightMajMin: boolean | null } {
  if (truth.kind === 'unscored') return { rightRoot: null, rightMajMin: null };
  if (truth.kind === 'none') return { rightRoot: guess.kind === 'none', rightMajMin: guess.kind === 'none' };
  const rightRoot = guess.kind === 'chord' && guess.rootPitchClass === truth.rootPitchClass;
  const scored = truth.triad === '0,4,7' || truth.triad === '0,3,7';
  return { rightRoot, rightMajMin: scored ? rightRoot && guess.triad === truth.triad : null };
}

function labelAt(spans: readonly Span[], seconds: number): string | null {
  return spans.find((span) => seconds >= span.start && seconds <= span.end)?.label ?? null;
}

function shareOf(time: { rightSeconds: number; scoredSeconds: number }): number | null {
  return time.scoredSeconds > 0 ? time.rightSeconds / time.scoredSeconds : null;
}
