import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Violation } from './checker/check.ts';
import { type RecordedOutcome, writeReport } from './report.ts';

const outcome = (scenario: string, rest: Partial<RecordedOutcome>): RecordedOutcome => ({
  scenario,
  name: scenario,
  seed: 'abc',
  seconds: 7,
  figures: {},
  violations: [],
  problems: [],
  ...rest,
});

async function report(outcomes: readonly RecordedOutcome[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'record.jsonl');
  writeFileSync(path, outcomes.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return (await writeReport(path)).split('\n');
}

it('adds up the outcomes, with only the last one of a scenario that was recorded twice', async () => {
  const lines = await report([
    outcome('kills', { figures: { kills: 100 }, problems: ['could not be run'] }),
    outcome('kills', { name: '200 kills', figures: { kills: 20, answers: 'a|b' } }),
    outcome('zombies', {
      figures: { kills: 3, zombies: 2 },
      violations: [{ invariant: 'I1', message: 'job_1 is lost' }],
      problems: ['not ready'],
    }),
  ]);
  for (const line of [
    '| kills | 23 |',
    '| zombies | 2 |',
    '| other expectations not met | 1 |',
    '| 200 kills | `abc` | 7 | kills 20, answers a/b | green |',
  ])
    expect(lines).toContain(line);
  expect(lines.filter((line) => line.includes('`abc`'))).toHaveLength(2);
  expect(lines.at(-1)).toBe('| zombies | `abc` | 7 | kills 3, zombies 2 | I1: job_1 is lost; not ready |');
});

it('counts the violations of every invariant', async () => {
  // Nine of I1, eight of I2, and so on, so that no two totals are equal.
  const violations = Array.from({ length: 9 }, (_, index) =>
    new Array<Violation>(9 - index).fill({
      invariant: `I${index + 1}` as Violation['invariant'],
      message: 'broken',
    }),
  ).flat();
  const lines = await report([outcome('kills', { violations })]);
  expect(lines.slice(lines.indexOf('| jobs lost or made twice | 17 |'), lines.indexOf(''))).toEqual([
    '| jobs lost or made twice | 17 |',
    '| charged wrongly | 7 |',
    '| events lost | 6 |',
    '| bytes lost | 5 |',
    '| late writes | 4 |',
    '| left over | 3 |',
    '| foreign bytes read | 2 |',
    '| secrets found | 1 |',
    '| other expectations not met | 0 |',
  ]);
});

it('keeps the stack of a scenario that threw, and a bar in a violation, in their cell', async () => {
  const lines = await report([
    outcome('kills', {
      violations: [{ invariant: 'I9', message: 'a|b' }],
      problems: ['threw: Error: no\n    at a.ts:1\n    at b.ts:2'],
    }),
  ]);
  expect(lines.at(-1)).toBe('| kills | `abc` | 7 |  | I9: a/b; threw: Error: no at a.ts:1 at b.ts:2 |');
});
