import { afterEach, expect, it, vi } from 'vitest';
import { printOutcome } from './print-outcome.ts';
import type { Outcome } from './scenario.ts';

const GOOD: Outcome = {
  name: 'kills',
  seed: 'abc',
  seconds: 7,
  figures: { kills: 2, restarts: 3 },
  violations: [],
  problems: [],
};
const log = vi.spyOn(console, 'log').mockImplementation(() => {});
afterEach(() => log.mockClear());
const printed = () => log.mock.calls.map(([line]) => line);

it('is green without violations and problems', () => {
  expect(printOutcome(GOOD)).toBe(true);
  expect(printed()).toEqual(['green kills (seed abc, 7 s): kills 2, restarts 3']);
});

it.each([
  ['a violation', { violations: [{ invariant: 'I1', message: 'job_1 is lost' }] }, 'I1: job_1 is lost'],
  ['a problem', { problems: ['not ready'] }, 'not ready'],
] as [string, Partial<Outcome>, string][])('is red with %s', (_what, change, line) => {
  expect(printOutcome({ ...GOOD, ...change })).toBe(false);
  expect(printed()).toEqual(['RED   kills (seed abc, 7 s): kills 2, restarts 3', `      ${line}`]);
});

it('shows at most twenty lines, and how many more there are', () => {
  const problems = Array.from({ length: 23 }, (_, index) => `problem ${index}`);
  expect(printOutcome({ ...GOOD, problems })).toBe(false);
  expect(printed().slice(-2)).toEqual(['      problem 19', '      … and 3 more']);
  expect(printed()).toHaveLength(22);
});
