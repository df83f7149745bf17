/** Rounded to tenths, as the tables of the report show them. */
export function secondsOf(elapsedMs: number): number {
  return Math.round(elapsedMs / 100) / 10;
}
