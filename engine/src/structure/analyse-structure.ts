/**
 * What is the form of the piece? Its fades, and its sections with their groups, labels and facts.
 *
 * 1. bars  2. what each bar sounds like  3. how alike bars are  4. how salient bar lines are  5. segments  6. groups of them  7. sections with labels and
 *    facts. Each step is a file of its own, which names its source.
 */

import { logistic } from '../logistic.ts';
import type { Curve, Section, Structure, Tonal, UnavailableReason } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { SILENCE_RMS } from '../silence-level.ts';
import { describeBars } from './bar-features.ts';
import { createBarGrid } from './bar-grid.ts';
import { rateBarLines } from './bar-line-salience.ts';
import { findFades } from './fades.ts';
import { nameGroup } from './group-name.ts';
import { type BarSection, groupSegments } from './grouping.ts';
import { createFactFinder, findVoiceShare, rateEnergies } from './section-facts.ts';
import { labelSections } from './section-labels.ts';
import { segmentBars } from './segmentation.ts';
import { compareBars } from './self-similarity.ts';

export type StructureInput = {
  /** 50 frames a second, 81 bands. */
  mel: FrameMatrix;
  /** 10 frames a second, 144 bands. */
  pitch: FrameMatrix;
  /** Level of the whole recording. */
  rms: number;
  durationSeconds: number;
  beatsSeconds: readonly number[];
  downbeatsSeconds: readonly number[];
  /** Null where the sound has no pitch. */
  tonal: Pick<Tonal, 'tuningCents' | 'keyChanges'> | null;
  /** Short-term loudness. */
  loudness: Curve;
  /** Probability of a voice; null when no voice network was run. */
  voice: Curve | null;
};

export type StructureAnalysis = { structure: Structure; reason: UnavailableReason | null };

/** Chosen: two phrases of four bars. */
const BARS_MIN = 8;

/**
 * P(the section begins within half a second of an annotated boundary) = 1 / (1 + exp(-(offset + slope * salience + recurring))), with the salience of
 * its first bar line, and `recurring` only when its group comes back. Fitted on 498 boundaries found in the dev corpus and in the songs left out when
 * the salience was chosen. The first section begins with the piece and is rated by its end instead.
 * Where there is no meter and bars are cut evenly, the probability is multiplied by `withoutMeter`. Chosen.
 */
const CONFIDENCE = { offset: -0.79, slope: 1.12, recurring: 0.29, withoutMeter: 0.5 };

export function analyseStructure(input: StructureInput): StructureAnalysis {
  const { mel, pitch, rms, durationSeconds, beatsSeconds, downbeatsSeconds, tonal, loudness, voice } = input;
  const segments = findFades(loudness);
  if (!(rms > SILENCE_RMS)) return { structure: { sections: [], segments }, reason: 'silence' };
  const grid = createBarGrid(beatsSeconds, downbeatsSeconds, durationSeconds);
  if (grid.edgesSeconds.length - 1 < BARS_MIN) {
    return { structure: { sections: [], segments }, reason: 'too_short' };
  }
  const similarity = compareBars(describeBars(grid.edgesSeconds, mel, pitch, rms, tonal?.tuningCents ?? 0));
  const salience = rateBarLines(similarity);
  const barSections = groupSegments(segmentBars(similarity, salience), similarity);
  const findFacts = createFactFinder(beatsSeconds, tonal?.keyChanges ?? [], loudness);
  const spans = barSections.map((section, index) => ({
    startSeconds: index === 0 ? 0 : grid.edgesSeconds[section.startBar]!,
    endSeconds: index === barSections.length - 1 ? durationSeconds : grid.edgesSeconds[section.endBar]!,
  }));
  const facts = spans.map(({ startSeconds, endSeconds }) => findFacts(startSeconds, endSeconds));
  const energies = rateEnergies(facts.map(({ loudnessLufs }) => loudnessLufs));
  const labels = labelSections(
    barSections.map(({ group, startBar, endBar }, index) => ({
      group,
      barCount: endBar - startBar,
      energy: energies[index]!,
      voiceShare: voice && findVoiceShare(voice, spans[index]!.startSeconds, spans[index]!.endSeconds),
    })),
  );
  const sections = barSections.map((section, index): Section => {
    const { label, confidence: labelConfidence } = labels[index]!;
    return {
      ...spans[index]!,
      label,
      labelConfidence,
      group: nameGroup(section.group),
      confidence: rateBoundary(barSections, index, salience, grid.isMetric),
      startBar: grid.isMetric ? section.startBar : null,
      ...facts[index]!,
      energy: energies[index]!,
    };
  });
  return { structure: { sections, segments }, reason: null };
}

function rateBoundary(
  sections: readonly BarSection[],
  index: number,
  salience: Float64Array,
  isMetric: boolean,
): number {
  const bar = index === 0 ? sections[0]!.endBar : sections[index]!.startBar;
  const { offset, slope, recurring, withoutMeter } = CONFIDENCE;
  const recurs = sections.some(({ group }, other) => other !== index && group === sections[index]!.group);
  const probability = logistic(offset + slope * salience[bar]! + (recurs ? recurring : 0));
  return isMetric ? probability : withoutMeter * probability;
}
