/** Finds where two results of one song differ by more than the last digits of their numbers. */

/** Relative to the larger number; more than a different order of additions, or V8's other compiler, changes. Not for times, which grow with the song. */
const DIFFERENCE_RATIO_MAX = 1e-4;
/** In the unit of the number. Less than a step of three decimals: below 5, numbers rounded to three or fewer, such as confidences, must be equal. */
const DIFFERENCE_MAX = 5e-4;
/** Samples of the waveform image are integers, of which one may be rounded the other way. */
const WAVEFORM_STEPS_MAX = 1;

/** These describe the run, not the song. */
const RUN_FIELDS = new Set(['analysed_at', 'analysis_seconds']);

/** One line per difference: its path in the result, and both values. */
export function listDifferences(before: unknown, after: unknown, path = ''): string[] {
  if (typeof before === 'number' && typeof after === 'number') {
    return isSame(before, after, path) ? [] : [`${path}: ${before} → ${after}`];
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [`${path}: ${before.length} items → ${after.length}`];
    return before.flatMap((item, index) => listDifferences(item, after[index], `${path}[${index}]`));
  }
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names]
      .filter((name) => !RUN_FIELDS.has(name))
      .flatMap((name) => listDifferences(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  return before === after ? [] : [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
}

function isSame(before: number, after: number, path: string): boolean {
  const difference = Math.abs(before - after);
  if (path.startsWith('waveform.') && path.includes('.data[')) return difference <= WAVEFORM_STEPS_MAX;
  if (Number.isInteger(before) && Number.isInteger(after)) return difference === 0;
  if (difference <= DIFFERENCE_MAX) return true;
  const isTime = /seconds$/.test(path);
  return !isTime && difference <= DIFFERENCE_RATIO_MAX * Math.max(Math.abs(before), Math.abs(after));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
