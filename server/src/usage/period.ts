/** A billing month: a calendar month in UTC, named like `2026-03`, with an exclusive end. */
export type Period = { name: string; start: Date; end: Date };

export function periodOf(now: Date): Period {
  const [year, monthIndex] = [now.getUTCFullYear(), now.getUTCMonth()];
  return {
    name: now.toISOString().slice(0, 7),
    start: new Date(Date.UTC(year, monthIndex, 1)),
    end: new Date(Date.UTC(year, monthIndex + 1, 1)),
  };
}
