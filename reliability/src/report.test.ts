import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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

it('adds up the outcomes, with only the last one of a scenario that was recorded twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-report-'));
  const path = join(folder, 'record.jsonl');
  const outcomes = [
    outcome('kills', { figures: { kills: 100 }, problems: ['could not be run'] }),
    outcome('kills', { name: '200 kills', figures: { kills: 20, answers: 'a|b' } }),
    outcome('zombies', {
      figures: { kills: 3, zombies: 2 },
      violations: [
        { invariant: 'I1', message: 'job_1 is lost' },
        { invariant: 'I2', message: 'job_2 is there twice' },
        { invariant: 'I9', message: 'a secret is in a log' },
      ],
      problems: ['not ready'],
    }),
  ];
  writeFileSync(path, outcomes.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const lines = (await writeReport(path)).split('\n');
  for (const line of [
    '| kills | 23 |',
    '| zombies | 2 |',
    '| jobs lost or made twice | 2 |',
    '| secrets found | 1 |',
    '| charged wrongly | 0 |',
    '| other expectations not met | 1 |',
    '| 200 kills | `abc` | 7 | kills 20, answers a/b | green |',
  ])
    expect(lines).toContain(line);
  expect(lines.filter((line) => line.includes('`abc`'))).toHaveLength(2);
  expect(lines.at(-1)).toBe(
    '| zombies | `abc` | 7 | kills 3, zombies 2 | I1: job_1 is lost; I2: job_2 is there twice; I9: a secret is in a log; not ready |',
  );
  rmSync(folder, { recursive: true });
});
