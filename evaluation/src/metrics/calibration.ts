/**
 * Does a confidence of 0.8 mean "right four times out of five"?
 *
 * Expected calibration error over equal-width bins: Naeini, Cooper, Hauskrecht, AAAI 2015. Deviation: a bin of fewer than five answers is
 * joined to the next one up, and what is left at the top to the last one below, because a bin of one answer measures luck. Errors of
 * opposite sign cancel within a bin, so what is joined makes the error smaller, never larger.
 */

export type Answer = { confidence: number; right: boolean };
export type ReliabilityBin = { count: number; meanConfidence: number; accuracy: number };

/** Chosen: usual for this measure. */
const BIN_COUNT = 10;
const BIN_ANSWERS_MIN = 5;

export function reliabilityCurve(answers: readonly Answer[]): ReliabilityBin[] {
  const bins: Answer[][] = [];
  let open: Answer[] = [];
  let edgeIndex = 1;
  for (const answer of [...answers].sort((a, b) => a.confidence - b.confidence)) {
    while (answer.confidence > edgeIndex / BIN_COUNT && edgeIndex < BIN_COUNT) {
      edgeIndex++;
      if (open.length >= BIN_ANSWERS_MIN) {
        bins.push(open);
        open = [];
      }
    }
    open.push(answer);
  }
  const last = bins.at(-1);
  if (open.length >= BIN_ANSWERS_MIN || !last) bins.push(open);
  else last.push(...open);
  return bins.filter((bin) => bin.length > 0).map(describeBin);
}

/** Null when there are no answers: nothing was claimed. */
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
