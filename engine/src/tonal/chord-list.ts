/**
 * How is each decoded chord labelled, on which beat does it start, and how confident is it?
 *
 * Labels follow Harte, Sandler, Abdallah and Gómez, "Symbolic Representation of Musical Chords", ISMIR 2005, and are spelled, like the Roman
 * numerals, in the key at the middle of the chord.
 */

import { logistic } from '../logistic.ts';
import type { Beat, Chord, KeySpan, Tonal } from '../result.ts';
import type { FloatFrames } from '../signal/frame-matrix.ts';
import type { ChordActivation } from './chord-activation.ts';
import type { ChordSpan } from './chord-decoder.ts';
import { type ChordQuality, refineQuality } from './chord-quality.ts';
import { keyNumberOf, spellPitchClass } from './key-name.ts';
import { toRomanNumeral } from './roman-numeral.ts';

/**
 * P(chord right) = logistic(offset + slope * leadLogOdds), after Platt, "Probabilistic Outputs for Support Vector Machines", 1999. Fitted to the share of
 * time for which chords are right on the dev corpus, separately for the two kinds of activation, whose log-odds differ in scale.
 */
const CONFIDENCE = {
  learned: { offset: 0.41, slope: 0.36 },
  classical: { offset: 1.2, slope: 0.89 },
} as const;
/** A chord that starts up to this long before a beat counts as starting on it: the 70 ms within which docs/accuracy.md counts a beat as found. */
const BEAT_TOLERANCE_SECONDS = 0.07;

export function listChords(
  spans: readonly ChordSpan[],
  chroma: FloatFrames,
  keySpans: readonly KeySpan[],
  beats: readonly Beat[],
  source: ChordActivation['source'],
): Pick<Tonal, 'chords' | 'chordsSevenths'> {
  const chords: Chord[] = [];
  const chordsSevenths: Chord[] = [];
  const findBeat = createBeatFinder(beats);
  const findKey = createKeyFinder(keySpans);
  const { offset, slope } = CONFIDENCE[source];
  for (const span of spans) {
    const key = findKey((span.startSeconds + span.endSeconds) / 2);
    const at = {
      startSeconds: span.startSeconds,
      endSeconds: span.endSeconds,
      ...findBeat(span.startSeconds),
    };
    const confidence = logistic(offset + slope * span.leadLogOdds);
    const refined = refineQuality(span, chroma);
    if (!refined) {
      const none = { ...at, label: 'N', roman: null, confidence };
      chords.push(none);
      chordsSevenths.push({ ...none });
      continue;
    }
    const root = span.chord % 12;
    const describe = (quality: ChordQuality): Pick<Chord, 'label' | 'roman'> => ({
      label: `${spellPitchClass(root, key)}:${quality}`,
      roman: key === null ? null : toRomanNumeral(root, quality, key),
    });
    chords.push({ ...at, ...describe(span.chord < 12 ? 'maj' : 'min'), confidence });
    chordsSevenths.push({ ...at, ...describe(refined.quality), confidence: confidence * refined.share });
  }
  return { chords, chordsSevenths };
}

/** Finds the bar and beat at or before a time; null before the first beat. The search only moves forwards, so times must ascend. */
function createBeatFinder(beats: readonly Beat[]): (seconds: number) => Pick<Chord, 'bar' | 'beat'> {
  let index = -1;
  return (seconds) => {
    while (index + 1 < beats.length && beats[index + 1]!.timeSeconds <= seconds + BEAT_TOLERANCE_SECONDS) {
      index++;
    }
    const found = beats[index];
    return found ? { bar: found.bar, beat: found.beatInBar } : { bar: null, beat: null };
  };
}

/** Finds the key at a time; null without keys. Times must ascend. */
function createKeyFinder(spans: readonly KeySpan[]): (seconds: number) => number | null {
  let index = 0;
  return (seconds) => {
    while (index + 1 < spans.length && spans[index]!.endSeconds <= seconds) index++;
    const span = spans[index];
    return span ? keyNumberOf(span.key, span.scale) : null;
  };
}
