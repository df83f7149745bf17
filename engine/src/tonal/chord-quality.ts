/**
 * Is a major triad really a seventh, suspended or augmented chord, or a minor triad a seventh or diminished one?
 *
 * The mean chroma of the chord's span, rotated to its root, is compared with a template of each quality: its tones at their typical strengths, each with
 * its third partial, which is a fifth higher. The squared distance gives a Gaussian log-likelihood, and the log of the quality's prior is added, so
 * that a seventh takes clear evidence.
 *
 * Vocabulary and comparison after Mauch and Dixon, "Approximate Note Transcription for the Improved Identification of Difficult Chords", ISMIR 2010. On
 * spans of the dev corpus with known root, the quality is right 88.9 % of the time, and 87.7 % if all chords are taken for triads.
 */

import type { FloatFrames } from '../signal/frame-matrix.ts';
import { NO_CHORD } from './chord-activation.ts';
import type { ChordSpan } from './chord-decoder.ts';
import { framesOfCell } from './chord-grid.ts';
import { averageChroma } from './chroma.ts';
import { PITCH_CLASS_COUNT } from './key-name.ts';

const CHORD_QUALITIES = ['maj', 'min', '7', 'maj7', 'min7', 'dim', 'hdim7', 'sus4', 'aug'] as const;
export type ChordQuality = (typeof CHORD_QUALITIES)[number];

export function isChordQuality(text: string): text is ChordQuality {
  return CHORD_QUALITIES.some((quality) => quality === text);
}

type QualityModel = {
  quality: ChordQuality;
  /** Relative strength by semitones above the root. */
  tones: Readonly<Record<number, number>>;
  /** Minus the log of its frequency relative to the plain triad. Set by hand, roughly as in pop. */
  rarityLogOdds: number;
};

const MAJOR_QUALITIES: readonly QualityModel[] = [
  { quality: 'maj', tones: { 0: 1, 4: 0.55, 7: 0.6 }, rarityLogOdds: 0 },
  { quality: '7', tones: { 0: 1, 4: 0.55, 7: 0.6, 10: 0.55 }, rarityLogOdds: 2.7 },
  { quality: 'maj7', tones: { 0: 1, 4: 0.55, 7: 0.6, 11: 0.45 }, rarityLogOdds: 2.7 },
  { quality: 'sus4', tones: { 0: 1, 5: 0.45, 7: 0.6 }, rarityLogOdds: 2.7 },
  { quality: 'aug', tones: { 0: 1, 4: 0.6, 8: 0.7 }, rarityLogOdds: 4 },
];
const MINOR_QUALITIES: readonly QualityModel[] = [
  { quality: 'min', tones: { 0: 1, 3: 0.55, 7: 0.6 }, rarityLogOdds: 0 },
  { quality: 'min7', tones: { 0: 1, 3: 0.6, 7: 0.6, 10: 0.5 }, rarityLogOdds: 1.9 },
  { quality: 'dim', tones: { 0: 1, 3: 0.65, 6: 0.7 }, rarityLogOdds: 3 },
  { quality: 'hdim7', tones: { 0: 1, 3: 0.65, 6: 0.7, 10: 0.6 }, rarityLogOdds: 3.8 },
];
/** Strength of a tone's third partial, an octave and a fifth higher, relative to the tone. */
const THIRD_PARTIAL_SHARE = 0.25;
const FIFTH_SEMITONES = 7;
/** Standard deviation of each pitch class from its template, both of unit length. All strengths and this were set by hand. */
const DEVIATION = 0.14;

const MAJOR_MODELS = MAJOR_QUALITIES.map(withTemplate);
const MINOR_MODELS = MINOR_QUALITIES.map(withTemplate);

/** The most probable quality of a span's chord and its probability among the qualities of the same triad; null for no chord. */
export function refineQuality(
  span: ChordSpan,
  chroma: FloatFrames,
): { quality: ChordQuality; share: number } | null {
  if (span.chord === NO_CHORD) return null;
  const { from, to } = framesOfCell(span, chroma.frameRateHz, chroma.frameCount);
  const observed = rotateToRoot(averageChroma(chroma, from, to), span.chord % PITCH_CLASS_COUNT);
  const models = span.chord < PITCH_CLASS_COUNT ? MAJOR_MODELS : MINOR_MODELS;
  const scores = models.map(({ template, rarityLogOdds }) => {
    let distance = 0;
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
      const difference = observed[p]! - template[p]!;
      distance += difference * difference;
    }
    return -distance / (2 * DEVIATION ** 2) - rarityLogOdds;
  });
  const largest = Math.max(...scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - largest), 0);
  return { quality: models[scores.indexOf(largest)]!.quality, share: 1 / total };
}

function withTemplate(model: QualityModel): QualityModel & { template: Float64Array } {
  const template = new Float64Array(PITCH_CLASS_COUNT);
  for (const [semitones, strength] of Object.entries(model.tones)) {
    const tone = Number(semitones);
    template[tone]! += strength;
    template[(tone + FIFTH_SEMITONES) % PITCH_CLASS_COUNT]! += THIRD_PARTIAL_SHARE * strength;
  }
  return { ...model, template: toUnitLength(template) };
}

function rotateToRoot(chroma: Float64Array, root: number): Float64Array {
  return toUnitLength(chroma.map((_, p) => chroma[(p + root) % PITCH_CLASS_COUNT]!));
}

function toUnitLength(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}
