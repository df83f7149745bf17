/** Formats the figures of bench:service as a table for docs/benchmarks.md. */

/** The numbers are in the figure's unit. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  /** The largest value that is good enough; null for a figure that has no goal. */
  goal: number | null;
  /** The same figure of an earlier version, measured in turns with this one; null where none was measured. */
  before: number | null;
};

export type Note = (
  name: string,
  value: number,
  unit: string,
  goal: number | null,
  before?: number | null,
) => void;

export const BENCHMARKS_PAGE = 'docs/benchmarks.md';

export function formatFigures(
  figures: readonly Figure[],
  run: { requestCount: number; batchCount: number; loadAverage: number; coreCount: number },
): string {
  const rows = figures.map(({ name, value, unit, goal, before }) => {
    const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    const format = (number: number) => `${number.toFixed(digits)} ${unit}`;
    const met = goal === null ? '' : value <= goal ? `≤ ${goal} ${unit}` : `≤ ${goal} ${unit}: **missed**`;
    const earlier = before === null ? ' | ' : `${format(before)} | ${(value / before).toFixed(2)}`;
    return `| ${name} | ${format(value)} | ${earlier} | ${met} |`;
  });
  return [
    `Processor time is that of the API process unless another is named, best of ${run.batchCount} batches of ${run.requestCount / run.batchCount} requests; load average of the machine at the end: ${run.loadAverage.toFixed(1)} on ${run.coreCount} cores.`,
    '',
    '| | measured | before | of before | goal |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
