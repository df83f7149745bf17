/**
 * Is the form right? Boundary F at 0.5 s and 3 s without the first and last boundary (Turnbull et al., ISMIR 2007) and
 * agreement of the labels over pairs of frames (Levy & Sandler, IEEE TASLP 16(2), 2008). The boundary F is 0 where either side has no
 * inner boundary, even if neither has one: as in mir_eval.segment.detection, so that the figures are comparable.
 */

import { eventF, harmonicMean } from './events.ts';
import { fillTo, type Span, withoutOverlaps } from './spans.ts';

/** As in mir_eval. */
const FRAME_SECONDS = 0.1;
/** The two tolerances of MIREX. */
const STRICT_SECONDS = 0.5;
const LENIENT_SECONDS = 3;
/** The label of time that no section covers. */
const OUTSIDE = '(outside)';

export type SectionScores = { boundaryF05: number; boundaryF3: number; pairwiseF: number };

export function scoreSections(
  reference: readonly Span[],
  estimate: readonly Span[],
  durationSeconds: number,
): SectionScores {
  if (estimate.length === 0) return { boundaryF05: 0, boundaryF3: 0, pairwiseF: 0 };
  const truth = fillTo(withoutOverlaps(reference), 0, durationSeconds, OUTSIDE);
  const guess = fillTo(withoutOverlaps(estimate), 0, durationSeconds, OUTSIDE);
  return {
    boundaryF05: eventF(innerBoundaries(truth), innerBoundaries(guess), STRICT_SECONDS),
    boundaryF3: eventF(innerBoundaries(truth), innerBoundaries(guess), LENIENT_SECONDS),
    pairwiseF: pairwiseF(truth, guess, durationSeconds),
  };
}

/** Of sorted spans. */
function innerBoundaries(spans: readonly Span[]): number[] {
  const rounded = spans
    .flatMap((span) => [span.start, span.end])
    .map((seconds) => Math.round(seconds * 1e5) / 1e5);
  return [...new Set(rounded)].slice(1, -1);
}

function pairwiseF(truth: readonly Span[], guess: readonly Span[], durationSeconds: number): number {
  const frameCount = Math.floor(durationSeconds / FRAME_SECONDS);
  const truthLabels = labelFrames(truth, frameCount);
  const guessLabels = labelFrames(guess, frameCount);
  const both = countEqualPairs(truthLabels.map((label, index) => `${label}\u0000${guessLabels[index]}`));
  const inTruth = countEqualPairs(truthLabels);
  const inGuess = countEqualPairs(guessLabels);
  return harmonicMean(inGuess > 0 ? both / inGuess : 0, inTruth > 0 ? both / inTruth : 0);
}

function labelFrames(spans: readonly Span[], frameCount: number): string[] {
  let index = 0;
  return Array.from({ length: frameCount }, (_, frame) => {
    while (index < spans.length - 1 && frame * FRAME_SECONDS >= spans[index]!.end) index++;
    return spans[index]!.label;
  });
}

function countEqualPairs(labels: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}
