/**
 * What is the form of the piece: where does it fade, and which sections does it have?
 *
 * Fades need only the loudness. Sections: 1. bars  2. features of each bar  3. similarity of bars  4. salience of bar lines  5. segments  6. groups
 * of segments  7. labels and facts of each section. Each step is a separate file, which names its source.
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
import { findFacts, findVoiceShare, rateEnergies } from './section-facts.ts';
import { labelSections } from './section-labels.ts';
import { segmentBars } from './segmentation.ts';
import { compareBars } from './self-similarity.ts';

export type StructureInput = {
  /** Mel spectrum: 50 frames a second, 81 bands. */
  mel: FrameMatrix;
  /** Half-semitone spectrum: 10 frames a second, 144 bands. */
  pitch: FrameMatrix;
  /** RMS of the whole recording; full scale is 1. */
  rms: number;
  durationSeconds: number;
  beatsSeconds: readonly number[];
  downbeatsSeconds: readonly number[];
  /** Null leaves the sections without a key, and assumes A4 = 440 Hz. */
  tonal: Pick<Tonal, 'tuningCents' | 'keyChanges'> | null;
  /** Short-term loudness. */
  loudness: Curve;
  /** Probability of a voice; null when the voice network was not run. */
  voice: Curve | null;
};

export type StructureAnalysis = { structure: Structure; reason: UnavailableReason | null };

/** Two phrases of four bars; a shorter piece has no form to describe. */
const BARS_MIN = 8;

/**
 * P(the section begins within half a second of an annotated boundary) = logistic(offset + slope * salience of its first bar line), with `recurringLogOdds`
 * added when its group occurs again. Fitted on boundaries detected in the dev corpus and in the 72 songs that were left out when the salience was
 * designed (docs/algorithms.md, "Sections: what was tried"). The first section always begins at 0, so it is rated by the bar line at its end.
 * `withoutMeter`, set by hand, multiplies the probability where there were no beats and the bars are equal slices of time.
 */
const CONFIDENCE = { offset: -0.79, slope: 1.12, recurringLogOdds: 0.29, withoutMeter: 0.5 };

export function analyseStructure(input: StructureInput): StructureAnalysis {
  const { mel, pitch, rms, durationSeconds, beatsSeconds, downbeatsSeconds, tonal, loudness, voice } = input;
  const fades = findFades(loudness);
  if (!(rms > SILENCE_RMS)) return { structure: { sections: [], segments: fades }, reason: 'silence' };
  const grid = createBarGrid(beatsSeconds, downbeatsSeconds, durationSeconds);
  if (grid.edgesSeconds.length - 1 < BARS_MIN) {
    return { structure: { sections: [], segments: fades }, reason: 'too_short' };
  }
  const similarity = compareBars(describeBars(grid.edgesSeconds, mel, pitch, rms, tonal?.tuningCents ?? 0));
  const salience = rateBarLines(similarity);
  const barSections = groupSegments(segmentBars(similarity, salience), similarity);
  const sources = { beatsSeconds, keySpans: tonal?.keyChanges ?? [], loudness };
  const spans = barSections.map((section, index) => ({
    startSeconds: index === 0 ? 0 : grid.edgesSeconds[section.startBar]!,
    endSeconds: index === barSections.length - 1 ? durationSeconds : grid.edgesSeconds[section.endBar]!,
  }));
  const facts = spans.map(({ startSeconds, endSeconds }) => findFacts(sources, startSeconds, endSeconds));
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
      confidence: rateBoundary(barSections, index, salience, grid.hasMeter),
      startBar: grid.hasMeter ? section.startBar : null,
      ...facts[index]!,
      energy: energies[index]!,
    };
  });
  return { structure: { sections, segments: fades }, reason: null };
}

function rateBoundary(
  sections: readonly BarSection[],
  index: number,
  salience: Float64Array,
  hasMeter: boolean,
): number {
  const bar = index === 0 ? sections[0]!.endBar : sections[index]!.startBar;
  const { offset, slope, recurringLogOdds, withoutMeter } = CONFIDENCE;
  const recurs = sections.some(({ group }, other) => other !== index && group === sections[index]!.group);
  const probability = logistic(offset + slope * salience[bar]! + (recurs ? recurringLogOdds : 0));
  return hasMeter ? probability : withoutMeter * probability;
}
