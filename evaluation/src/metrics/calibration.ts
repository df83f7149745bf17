/**
 * Does a confidence of 0.8 mean "right four times out of five"?
 *
 * Expected calibration error over equal-width bins: Naeini, Cooper, Hauskrecht, AAAI 2015. Deviation: a bin with fewer than five answers
 * is merged into the next higher one, and a small last bin into the one below, because a bin of one answer measures luck. Errors of
 * opposite sign cancel within a bin, so merging can only reduce the error.
 */

export type Answer = { confidence: number; right: boolean };
export type ReliabilityBin = { count: number; meanConfidence: number; accuracy: number };

/** The usual number for this measure. */
const BIN_COUNT = 10;
const ANSWERS_PER_BIN_MIN = 5;

export function reliabilityCurve(answers: readonly Answer[]): ReliabilityBin[] {
  const bins: Answer[][] = [];
  let open: Answer[] = [];
  let edgeIndex = 1;
  for (const answer of [...answers].sort((a, b) => a.confidence - b.confidence)) {
    while (answer.confidence > edgeIndex / BIN_COUNT && edgeIndex < BIN_COUNT) {
      edgeIndex++;
      if (open.length >= ANSWERS_PER_BIN_MIN) {
        bins.push(open);
        open = [];
      }
    }
    open.push(answer);
  }
  const last = bins.at(-1);
  if (open.length >= ANSWERS_PER_BIN_MIN || !last) bins.push(open);
  else last.push(...open);
  return bins.filter((bin) => bin.length > 0).map(describeBin);
}

/** Null without answers. */
export function expectedCalibrationError(answers: readonly Answer[]): number | null {
  if (answers.length === 0) return null;
  const weighted = reliabilityCurve(answers).map(
    (bin) => bin.count * Math.abs(bin.accuracy - bin.meanConfidence),
  );
  return weighted.reduce((sum, value) => sum + value, 0) / answers.length;
}

function describeBin(bin: readonly Answer[]): ReliabilityBin {
  return {
    count: bin.length,
    meanConfidence: bin.reduce((sum, answer) => sum + answer.confidence, 0) / bin.length,
    accuracy: bin.filter((answer) => answer.right).length / bin.length,
  };
}
