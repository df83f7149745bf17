import { expect, test } from 'vitest';
import { describeSurvivor, summarise } from './mutation.mjs';

const FILE = 'sdk/src/a.ts';

function summaryOf(...statuses) {
  const location = { start: { line: 1, column: 1 }, end: { line: 1, column: 6 } };
  const mutants = statuses.map((status) => ({ status, location, replacement: 'true' }));
  return summarise({ source: 'a < b', mutants });
}

test('a change is noticed if a test fails or does not end, and an ignored one is not counted', () => {
  const { mutants, noticed } = summaryOf('Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored');
  expect([mutants, noticed]).toEqual([4, 2]);
});

test('a change is not noticed if the test runner crashes, and the page says so', () => {
  const { noticed, survivors } = summaryOf('Killed', 'RuntimeError');
  expect(noticed).toBe(1);
  expect(survivors.map((one) => describeSurvivor(FILE, one))).toEqual([
    '- sdk/src/a.ts:1 `a < b` → `true` (the test runner crashed)',
  ]);
});

test('a change that no unit test covers is listed as such', () => {
  const { survivors } = summaryOf('Survived', 'NoCoverage');
  expect(survivors.map((one) => describeSurvivor(FILE, one))).toEqual([
    '- sdk/src/a.ts:1 `a < b` → `true`',
    '- sdk/src/a.ts:1 `a < b` → `true` (no unit test covers it)',
  ]);
});
