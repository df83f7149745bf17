/** Whether two results of one song say the same but for the last digits of their numbers. */

/** Of the larger of two numbers: what another order of additions, or a compiler of V8, may change. */
const DIFFERENCE_MAX_RATIO = 1e-4;
/** Numbers are given with three decimals or more: half of the last. */
const DIFFERENCE_MAX = 5e-4;
/** A sample of a picture may be rounded the other way. */
const WAVEFORM_STEP = 1;

/** When, and in how many seconds, it was analysed. */
const OF_THE_RUN = new Set(['analysed_at', 'analysis_seconds']);

/** Every place where they differ by more, and how. */
export function listDifferences(before: unknown, after: unknown, place = ''): string[] {
  if (typeof before === 'number' && typeof after === 'number') {
    return isSame(before, after, place) ? [] : [`${place}: ${before} → ${after}`];
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [`${place}: ${before.length} items → ${after.length}`];
    return before.flatMap((item, index) => listDifferences(item, after[index], `${place}[${index}]`));
  }
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names]
      .filter((name) => !OF_THE_RUN.has(name))
      .flatMap((name) =>
        listDifferences(before[name], after[name], place === '' ? name : `${place}.${name}`),
      );
  }
  return before === after ? [] : [`${place}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
}

function isSame(before: number, after: number, place: string): boolean {
  const difference = Math.abs(before - after);
  if (place.startsWith('waveform.') && place.includes('.data[')) return difference <= WAVEFORM_STEP;
  if (Number.isInteger(before) && Number.isInteger(after)) return difference === 0;
  return (
    difference <= DIFFERENCE_MAX ||
    difference <= DIFFERENCE_MAX_RATIO * Math.max(Math.abs(before), Math.abs(after))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
