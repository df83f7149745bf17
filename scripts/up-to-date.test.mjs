import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesUnder, isUpToDate, readOnce, recordBuild } from './up-to-date.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** For a build that starts long after all files were written: an hour. */
const LATER_MS = Date.now() + 3_600_000;
let folder;
const path = (name) => relative(root, join(folder, name));
const check = (always = [path('source')]) => isUpToDate(path('record'), always, readOnce());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'up-to-date-'));
  for (const name of ['source', 'output']) writeFileSync(join(folder, name), 'first');
  await recordBuild(
    path('record'),
    { sources: [path('source')], outputs: [path('output')] },
    readOnce(LATER_MS),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a build is up to date while its sources have the same content, whenever they were written', () => {
  expect(check()).toBe(true);
  writeFileSync(join(folder, 'source'), 'first');
  expect(check()).toBe(true);
});

it('a build is out of date after a source was changed, removed or added', () => {
  writeFileSync(join(folder, 'source'), 'second');
  expect(check()).toBe(false);
  rmSync(join(folder, 'source'));
  expect(check()).toBe(false);
  writeFileSync(join(folder, 'source'), 'first');
  expect(check([path('source'), path('another')])).toBe(false);
});

it('a build is out of date without its output or its record', () => {
  rmSync(join(folder, 'output'));
  expect(check()).toBe(false);
  expect(isUpToDate(path('no record'), [], readOnce())).toBe(false);
});

it('a source that changes during a build counts as changed', async () => {
  const before = readOnce();
  isUpToDate(path('record'), [], before);
  writeFileSync(join(folder, 'source'), 'second');
  await recordBuild(path('record'), { sources: [path('source')], outputs: [] }, before);
  expect(check()).toBe(false);
});

it.each([
  ['changes', () => writeFileSync(join(folder, 'source'), 'second')],
  ['disappears', () => rmSync(join(folder, 'source'))],
])('a source that %s during a build without a record counts as changed', async (_, happen) => {
  const before = readOnce();
  expect(isUpToDate(path('first record'), [], before)).toBe(false);
  happen();
  await recordBuild(path('first record'), { sources: [path('source')], outputs: [] }, before);
  expect(isUpToDate(path('first record'), [], readOnce())).toBe(false);
});

it('the files below a folder are those that count as sources, at any depth', () => {
  mkdirSync(join(folder, 'below'));
  writeFileSync(join(folder, 'below', 'source'), '');
  const isSource = (name) => name.endsWith('source');
  expect(filesUnder(relative(root, folder), isSource).toSorted()).toEqual([
    path('below/source'),
    path('source'),
  ]);
});

it('an unreadable source is an error, unlike an absent one', () => {
  rmSync(join(folder, 'source'));
  mkdirSync(join(folder, 'source'));
  expect(() => check()).toThrow('EISDIR');
});
