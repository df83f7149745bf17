/**
 * Does a confidence of 0.8 mean "right four times out of five"?
 *
 * Expected calibration error over equal-width bins: Naeini, Cooper, Hauskrecht, AAAI 2015. Bins hold at least a handful of
 * answers or they are merged with their neighbour, because a bin of one answer measures luck.
 */

export type Answer = { confidence: number; right: boolean };
export type ReliabilityBin = { count: number; meanConfidence: number; accuracy: number };

const BIN_COUNT = 10;
const SMALLEST_BIN = 5;

export function reliabilityCurve(answers: readonly Answer[]): ReliabilityBin[] {
  const bins: Answer[][] = [];
  let open: Answer[] = [];
  let edge = 1;
  for (const answer of [...answers].sort((a, b) => a.confidence - b.confidence)) {
    while (answer.confidence > edge / BIN_COUNT && edge < BIN_COUNT) {
      edge++;
      if (open.length >= SMALLEST_BIN) {
        bins.push(open);
        open = [];
      }
    }
    open.push(answer);
  }
  const last = bins.at(-1);
  if (open.length >= SMALLEST_BIN || !last) bins.push(open);
  else last.push(...open);
  return bins.filter((bin) => bin.length > 0).map(describeBin);
}

export function expectedCalibrationError(answers: readonly Answer[]): number {
  const weighted = reliabilityCurve(answers).map(
    (bin) => bin.count * Math.abs(bin.accuracy - bin.meanConfidence),
  );
  return answers.length === 0 ? 0 : weighted.reduce((sum, value) => sum + value, 0) / answers.length;
}

function describeBin(bin: readonly Answer[]): ReliabilityBin {
  return {
    count: bin.length,
    meanConfidence: bin.reduce((sum, answer) => sum + answer.confidence, 0) / bin.length,
    accuracy: bin.filter((answer) => answer.right).length / bin.length,
  };
}
