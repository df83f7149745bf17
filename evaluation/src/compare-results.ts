/** Whether two results of one song are the same but for the last digits of their numbers. */

/** Chosen: a share of the larger number, above what another order of additions, or V8's other compiler, changes. */
const DIFFERENCE_RATIO_MAX = 1e-4;
/** Half of the last digit where a number has three decimals, the fewest in a result; in the unit of that number. */
const DIFFERENCE_MAX = 5e-4;
/** Samples of the waveform picture are whole numbers, and one may be rounded the other way. */
const WAVEFORM_STEPS_MAX = 1;

/** Fields that describe the run, not the song: when it was analysed, and how long that took. */
const RUN_FIELDS = new Set(['analysed_at', 'analysis_seconds']);

/** Every place where the results differ by more than that, with both values. */
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
      .filter((name) => !RUN_FIELDS.has(name))
      .flatMap((name) =>
        listDifferences(before[name], after[name], place === '' ? name : `${place}.${name}`),
      );
  }
  return before === after ? [] : [`${place}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
}

function isSame(before: number, after: number, place: string): boolean {
  const difference = Math.abs(before - after);
  if (place.startsWith('waveform.') && place.includes('.data[')) return difference <= WAVEFORM_STEPS_MAX;
  if (Number.isInteger(before) && Number.isInteger(after)) return difference === 0;
  return (
    difference <= DIFFERENCE_MAX ||
    difference <= DIFFERENCE_RATIO_MAX * Math.max(Math.abs(before), Math.abs(after))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
