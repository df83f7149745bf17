/** The figures of bench:service as a table, and the places of a bench in docs/benchmarks.md. */
import { readFile, writeFile } from 'node:fs/promises';

export type Figure = { name: string; value: number; unit: string; goal: number | null };

const PAGE = 'docs/benchmarks.md';

export function formatFigures(figures: readonly Figure[], run: { requests: number; load: number }): string {
  const rows = figures.map(({ name, value, unit, goal }) => {
    const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    const met = goal === null ? '' : value <= goal ? `≤ ${goal} ${unit}` : `≤ ${goal} ${unit}: **missed**`;
    return `| ${name} | ${value.toFixed(digits)} ${unit} | ${met} |`;
  });
  return [
    `Processor time is that of the API process, best of four batches of ${run.requests / 4} requests; load of the machine when it was over: ${run.load.toFixed(1)} on two cores.`,
    '',
    '| | measured | goal |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Between the two marks of that name. */
export async function putIntoPage(place: string, text: string): Promise<void> {
  const before = await readFile(PAGE, 'utf8');
  const [start, end] = [`<!-- ${place}: begin -->`, `<!-- ${place}: end -->`];
  const pattern = new RegExp(`${start}[\\s\\S]*${end}`);
  if (!pattern.test(before)) throw new Error(`${PAGE} has no place for ${place}`);
  await writeFile(
    PAGE,
    before.replace(pattern, () => `${start}\n${text}\n${end}`),
  );
}
