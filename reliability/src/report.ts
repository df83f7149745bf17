import { readFile } from 'node:fs/promises';
import type { Invariant } from './checker/check.ts';
import { failuresOf } from './print-outcome.ts';
import type { Outcome } from './scenario.ts';

/** Rows of the summary that count violations, and the invariants that each one covers. */
const VIOLATION_TOTALS: Record<string, readonly Invariant[]> = {
  'jobs lost or made twice': ['I1', 'I2'],
  'charged wrongly': ['I3'],
  'events lost': ['I4'],
  'bytes lost': ['I5'],
  'late writes': ['I6'],
  'left over': ['I7'],
  'foreign bytes read': ['I8'],
  'secrets found': ['I9'],
};

/** A line of a record: the outcome, and the key of the scenario in `FULL`, which `--only` matches. */
export type RecordedOutcome = Outcome & { scenario: string };

/** The outcomes of a record as tables for docs/reliability.md. The last outcome of each scenario counts. */
export async function writeReport(recordPath: string): Promise<string> {
  const lines = (await readFile(recordPath, 'utf8')).split('\n').filter((line) => line !== '');
  const outcomes = [
    ...new Map(
      lines.map((line) => JSON.parse(line) as RecordedOutcome).map((outcome) => [outcome.scenario, outcome]),
    ).values(),
  ];
  const sum = (figure: string) =>
    outcomes.reduce((total, { figures }) => total + (Number(figures[figure]) || 0), 0);
  const violated = (invariants: readonly Invariant[]) =>
    outcomes.flatMap(({ violations }) => violations).filter(({ invariant }) => invariants.includes(invariant))
      .length;
  const totals: [string, number][] = [
    ...[
      'jobs accepted',
      'operations',
      'kills',
      'deaths',
      'statements cut',
      'file operations failed',
      'requests failed',
      'answers lost',
      'zombies',
      'poison jobs',
      'immediate restart',
      'kill -9',
      'all connections ended',
      'restarts',
      'migrations cut',
      'names that turned',
      'inputs',
      'webhook calls',
      'ledger samples',
    ].map((figure): [string, number] => [figure, sum(figure)]),
    ...Object.entries(VIOLATION_TOTALS).map(([word, invariants]): [string, number] => [
      word,
      violated(invariants),
    ]),
    ['other expectations not met', outcomes.reduce((total, { problems }) => total + problems.length, 0)],
  ];
  return [
    '| over all scenarios | |',
    '|---|---|',
    ...totals.map(([word, count]) => `| ${word} | ${count} |`),
    '',
    '| scenario | seed | seconds | figures | verdict |',
    '|---|---|---|---|---|',
    ...outcomes.map(rowOf),
  ].join('\n');
}

function rowOf({ name, seed, seconds, figures, violations, problems }: Outcome): string {
  const words = Object.entries(figures).map(([what, value]) => `${what} ${value}`);
  const failures = failuresOf({ violations, problems });
  const verdict = failures.length === 0 ? 'green' : failures.join('; ');
  return `| ${[name, `\`${seed}\``, seconds, words.join(', '), verdict].map(cellOf).join(' | ')} |`;
}

/** Failures may have bars, and the stack of an error has several lines: either would end the cell. */
function cellOf(content: string | number): string {
  return String(content).replaceAll('|', '/').replaceAll(/\s+/g, ' ');
}
