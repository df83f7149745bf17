import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CODE_SHAPE, escapeCode, starterOf, writeCodeCache } from './code-cache.mjs';

const CODE_NAME = 'child-ABCDEFGH.cjs';
let folder;
let starter;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-code-cache-'));
  starter = join(folder, 'child.cjs');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes the program that scripts/build.mjs would. */
function build(source) {
  const { entryNames: _, outExtension: _ofPaths, ...shape } = CODE_SHAPE;
  const { outputFiles } = buildSync({
    stdin: { contents: source },
    platform: 'node',
    write: false,
    ...shape,
  });
  writeFileSync(join(folder, CODE_NAME), escapeCode(outputFiles[0].text));
  writeFileSync(starter, starterOf(CODE_NAME));
}

const printOf = (...args) => spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;

it.each([
  ['a string', "'♯ 𝄪'.length", '4'],
  ['a regular expression', '/^[A-G][♯♭]$/.test("F♯")', 'true'],
  ['a regular expression of code points', '/^[𝄪𝄫]$/u.test("𝄪")', 'true'],
  ['an escape', String.raw`/^\♯$/.test("♯")`, 'true'],
  ['an escaped backslash', String.raw`/^\\♯$/.test("\\♯")`, 'true'],
])('%s keeps its characters', (_, expression, value) => {
  build(`console.log(${expression})`);
  expect(printOf(starter)).toBe(`${value}\n`);
});

const isFromCache = () => printOf('-p', `require(${JSON.stringify(starter)}).isFromCache`);

it('a program that fails gets no cache, and what it wrote is reported', () => {
  build("console.error('no song'); process.exitCode = 1");
  expect(writeCodeCache(starter)).toEqual([new Error(`${starter} has no code cache: no song\n`)]);
  expect(isFromCache()).toBe('false\n');
});

it('the cache is written if it is missing or older than the code, and not otherwise', () => {
  build('globalThis.first = 1');
  expect(isFromCache()).toBe('false\n');
  expect(writeCodeCache(starter)).toEqual([]);
  expect(isFromCache()).toBe('true\n');
  build('globalThis.another = 2');
  // V8 rejects the old cache, because the code has another length.
  expect(isFromCache()).toBe('false\n');
  utimesSync(join(folder, `${CODE_NAME}.${process.version}.cache`), 0, 0);
  expect(writeCodeCache(starter)).toEqual([]);
  expect(isFromCache()).toBe('true\n');
});
