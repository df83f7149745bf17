/** To a tenth, as the tables of the report have them. */
export function secondsOf(elapsedMs: number): number {
  return Math.round(elapsedMs / 100) / 10;
}
