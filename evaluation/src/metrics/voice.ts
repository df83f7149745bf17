/**
 * How well does a probability separate tenths of a second with a voice from those without?
 *
 * Area under the ROC curve, computed from ranks: Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27(8), 2006.
 */

const TENTH_SECONDS = 0.1;

/** Whether the middle of each of `count` tenths of a second lies in one of the spans. */
export function toTenths(
  spans: readonly (readonly [startSeconds: number, endSeconds: number])[],
  count: number,
): boolean[] {
  return Array.from({ length: count }, (_, tenth) => {
    const middleSeconds = (tenth + 0.5) * TENTH_SECONDS;
    return spans.some(([start, end]) => middleSeconds >= start && middleSeconds < end);
  });
}

/**
 * The probability that a tenth with a voice has a higher value than one without; ties count half. Null unless there are tenths of both
 * kinds.
 */
export function areaUnderCurve(values: readonly number[], truth: readonly boolean[]): number | null {
  const order = values.map((_, k) => k).sort((a, b) => values[a]! - values[b]!);
  let rankSum = 0;
  for (let first = 0; first < order.length; ) {
    let end = first + 1;
    while (end < order.length && values[order[end]!] === values[order[first]!]) end++;
    const meanRank = (first + 1 + end) / 2;
    for (let k = first; k < end; k++) if (truth[order[k]!]) rankSum += meanRank;
    first = end;
  }
  const voiced = truth.filter(Boolean).length;
  const silent = truth.length - voiced;
  return voiced === 0 || silent === 0 ? null : (rankSum - (voiced * (voiced + 1)) / 2) / voiced / silent;
}
