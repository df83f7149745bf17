/**
 * Is a major chord a seventh, suspended or augmented; is a minor chord a seventh or diminished?
 *
 * The mean chroma over the chord's span, rotated to its root, is compared with a template of each quality: its tones at their usual strengths,
 * each with its third partial a fifth above. The squared distance gives a Gaussian log-likelihood; adding the log of the quality's share names a
 * seventh only when it is heard.
 *
 * Vocabulary and comparison after Mauch and Dixon, ISMIR 2010. On spans of the dev corpus with known root, the quality is right 88.9 % of the time,
 * against 87.7 % for naming triads only.
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
  rarity: number;
};

const OF_MAJOR: readonly QualityModel[] = [
  { quality: 'maj', tones: { 0: 1, 4: 0.55, 7: 0.6 }, rarity: 0 },
  { quality: '7', tones: { 0: 1, 4: 0.55, 7: 0.6, 10: 0.55 }, rarity: 2.7 },
  { quality: 'maj7', tones: { 0: 1, 4: 0.55, 7: 0.6, 11: 0.45 }, rarity: 2.7 },
  { quality: 'sus4', tones: { 0: 1, 5: 0.45, 7: 0.6 }, rarity: 2.7 },
  { quality: 'aug', tones: { 0: 1, 4: 0.6, 8: 0.7 }, rarity: 4 },
];
const OF_MINOR: readonly QualityModel[] = [
  { quality: 'min', tones: { 0: 1, 3: 0.55, 7: 0.6 }, rarity: 0 },
  { quality: 'min7', tones: { 0: 1, 3: 0.6, 7: 0.6, 10: 0.5 }, rarity: 1.9 },
  { quality: 'dim', tones: { 0: 1, 3: 0.65, 6: 0.7 }, rarity: 3 },
  { quality: 'hdim7', tones: { 0: 1, 3: 0.65, 6: 0.7, 10: 0.6 }, rarity: 3.8 },
];
/** Strength of a tone's third partial, an octave and a fifth up, relative to the tone. */
const THIRD_PARTIAL_SHARE = 0.25;
const FIFTH_SEMITONES = 7;
/** Standard deviation of each pitch class about its template, both of unit length. Strengths, share and deviation are set by hand. */
const DEVIATION = 0.14;

const MODELS_OF_MAJOR = OF_MAJOR.map(withTemplate);
const MODELS_OF_MINOR = OF_MINOR.map(withTemplate);

/** The quality of a span's chord and its share among the alternatives on the same triad. Null for no chord. */
export function refineQuality(
  span: ChordSpan,
  chroma: FloatFrames,
): { quality: ChordQuality; share: number } | null {
  if (span.chord === NO_CHORD) return null;
  const { from, to } = framesOfCell(span, chroma.frameRateHz, chroma.frameCount);
  const heard = turnToRoot(averageChroma(chroma, from, to), span.chord % PITCH_CLASS_COUNT);
  const models = span.chord < PITCH_CLASS_COUNT ? MODELS_OF_MAJOR : MODELS_OF_MINOR;
  const scores = models.map(({ template, rarity }) => {
    let distance = 0;
    for (let p = 0; p < PITCH_CLASS_COUNT; p++) {
      const off = heard[p]! - template[p]!;
      distance += off * off;
    }
    return -distance / (2 * DEVIATION ** 2) - rarity;
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

function turnToRoot(chroma: Float64Array, root: number): Float64Array {
  return toUnitLength(chroma.map((_, p) => chroma[(p + root) % PITCH_CLASS_COUNT]!));
}

function toUnitLength(vector: Float64Array): Float64Array {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
}
