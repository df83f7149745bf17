import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeSurvivor, summarise } from './mutation.mjs';
import { REASONS } from './mutation-reasons.mjs';

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

test('a change is shown by the first line of its text, and with the reason where one is known', () => {
  const location = { start: { line: 1, column: 5 }, end: { line: 2, column: 2 } };
  const source = 'if (value) {\n}';
  const { survivors } = summarise({
    source,
    mutants: [{ status: 'Survived', location, replacement: 'true' }],
  });
  expect(survivors).toEqual([{ line: 1, from: 'value) {', to: 'true', covered: true }]);
  const known = { line: 1, from: 'value < 0', to: 'value <= 0', covered: true };
  expect(describeSurvivor('dashboard/src/format.ts', known)).toBe(
    '- dashboard/src/format.ts:1 `value < 0` → `value <= 0` (a value rounded to zero has no sign)',
  );
});

test('a change that no unit test covers is listed as such', () => {
  const { survivors } = summaryOf('Survived', 'NoCoverage');
  expect(survivors.map((one) => describeSurvivor(FILE, one))).toEqual([
    '- sdk/src/a.ts:1 `a < b` → `true`',
    '- sdk/src/a.ts:1 `a < b` → `true` (no unit test covers it)',
  ]);
});

test('every reason explains a change of the last measurement', () => {
  const scores = JSON.parse(readFileSync(new URL('mutation-scores.json', import.meta.url), 'utf8'));
  const files = Object.assign({}, ...Object.values(scores));
  const stale = Object.entries(REASONS).flatMap(([file, reasons]) => {
    const notNoticed = (files[file]?.survivors ?? []).map(({ from, to }) => `${from} → ${to}`);
    return Object.keys(reasons).filter((change) => !notNoticed.includes(change));
  });
  expect(stale).toEqual([]);
});
