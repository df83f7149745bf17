import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { Outcome } from '../scenario.ts';
import { FULL, runFull } from './full.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-full-'));
const log = vi.spyOn(console, 'log').mockImplementation(() => {});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('makes a scenario that throws red, with the time that it took, and runs the others', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.spyOn(FULL, 'kills').mockImplementation(async () => {
    nowMs += 7_000;
    throw new Error('no disk');
  });
  vi.spyOn(FULL, 'kills with real clocks').mockImplementation(async (seed) => {
    const good: Outcome = { name: 'slow', seed, seconds: 3, figures: {}, violations: [], problems: [] };
    return good;
  });
  const recordPath = join(folder, 'record.jsonl');
  expect(await runFull('s', 'kills', recordPath)).toBe(false);
  const lines = readFileSync(recordPath, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      scenario: 'kills',
      name: 'kills',
      seed: 's-kills',
      seconds: 7,
      figures: {},
      violations: [],
      problems: [expect.stringMatching(/^threw: Error: no disk\n/)],
    },
    expect.objectContaining({
      scenario: 'kills with real clocks',
      seed: 's-kills-with-real-clocks',
      seconds: 3,
    }),
  ]);
  expect(log.mock.calls.map(([line]) => String(line).split(' (')[0])).toEqual([
    'RED   kills',
    expect.stringContaining('threw: Error: no disk'),
    'green slow',
  ]);
});
