import { CEILING, FLAT_TOLERANCE, RUN_SAMPLES_MIN, STEP_MIN } from './clipping.ts';

/** The twin of the kernel findFlatTops: the last sample and the length of each flat top. */
export function findFlatTopsTwin(samples: ArrayLike<number>, levelMin: number): [number, number][] {
  const finds: [number, number][] = [];
  const at = (n: number): number => Math.max(-CEILING, Math.min(CEILING, samples[n] ?? 0));
  for (let first = 0; first < samples.length; ) {
    let next = first + 1;
    if (Math.abs(at(first)) >= levelMin) {
      while (next < samples.length && Math.abs(at(next) - at(first)) <= FLAT_TOLERANCE) next++;
      const stepIn = Math.max(Math.abs(at(first) - at(first - 1)), Math.abs(at(first) - at(first - 2)));
      const stepOut = Math.abs(at(first) - at(next));
      if (
        next < samples.length &&
        next - first >= RUN_SAMPLES_MIN &&
        stepIn >= STEP_MIN &&
        stepOut >= STEP_MIN
      ) {
        finds.push([next - 1, next - first]);
      }
    }
    first = next;
  }
  return finds;
}
