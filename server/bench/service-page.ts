/** The figures of bench:service as a table, and its place in docs/benchmarks.md. */
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

export async function putIntoPage(text: string): Promise<void> {
  const before = await readFile(PAGE, 'utf8');
  const [start, end] = ['<!-- service: begin -->', '<!-- service: end -->'];
  const pattern = new RegExp(`${start}[\\s\\S]*${end}`);
  if (!pattern.test(before)) throw new Error(`${PAGE} has no place for the service's figures`);
  await writeFile(
    PAGE,
    before.replace(pattern, () => `${start}\n${text}\n${end}`),
  );
}
