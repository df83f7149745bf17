/** Formats the figures of bench:service as a table, and writes the section of any bench into docs/benchmarks.md. */
import { readFile, writeFile } from 'node:fs/promises';

/** `before`: the same figure of an earlier version, measured in turns with this one. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  goal: number | null;
  before: number | null;
};

export type Note = (
  name: string,
  value: number,
  unit: string,
  goal: number | null,
  before?: number | null,
) => void;

const PAGE = 'docs/benchmarks.md';

export function formatFigures(
  figures: readonly Figure[],
  run: { requests: number; batches: number; loadAverage: number; cores: number },
): string {
  const rows = figures.map(({ name, value, unit, goal, before }) => {
    const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    const say = (number: number) => `${number.toFixed(digits)} ${unit}`;
    const met = goal === null ? '' : value <= goal ? `≤ ${goal} ${unit}` : `≤ ${goal} ${unit}: **missed**`;
    const earlier = before === null ? ' | ' : `${say(before)} | ${(value / before).toFixed(2)}`;
    return `| ${name} | ${say(value)} | ${earlier} | ${met} |`;
  });
  return [
    `Processor time is that of the API process unless another is named, best of ${run.batches} batches of ${run.requests / run.batches} requests; load average of the machine at the end: ${run.loadAverage.toFixed(1)} on ${run.cores} cores.`,
    '',
    '| | measured | before | of before | goal |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Replaces what stands between the two marks of that name. */
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
