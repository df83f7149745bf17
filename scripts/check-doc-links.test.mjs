import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const program = fileURLToPath(new URL('check-doc-links.mjs', import.meta.url));
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-links-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  write('docs/guide.md', '# A guide: *first* steps\n\nText.\n');
  write('server/src/run.ts', '');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** What is wrong with a page, or with a source, beside a guide and a program. */
function check(path, text) {
  write(path, text);
  const { status, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
  const problems = stderr.split('\n').filter(Boolean);
  expect(status).toBe(problems.length === 0 ? 0 : 1);
  return problems;
}

it.each([
  ['a page', '[x](docs/guide.md)'],
  ['a heading', '[x](docs/guide.md#a-guide-first-steps)'],
  ['another site', '[x](https://example.com/nothing.md)'],
  ['a file by its path', '`server/src/run.ts`'],
  ['what a build makes', '`server/dist/earshot.js`'],
  ['code', '```\n[x](nothing.md)\n```'],
])('%s may be named', (_, text) => {
  expect(check('README.md', text)).toEqual([]);
});

it.each([
  ['a page that is not there', '[x](docs/other.md)', 'README.md: docs/other.md does not exist'],
  [
    'a heading that is not there',
    '[x](docs/guide.md#last)',
    'README.md: docs/guide.md#last has no such heading',
  ],
  [
    'a path that is not there',
    '`server/src/stop.ts`',
    'README.md: names server/src/stop.ts, which does not exist',
  ],
])('%s is found', (_, text, problem) => {
  expect(check('README.md', text)).toEqual([problem]);
});

it('a comment that cites a file that is not there is found, code that looks like a path is not', () => {
  const source = "// As docs/guide.md and docs/other.md say.\nopen('docs/third.md');\n";
  expect(check('server/src/cite.ts', source)).toEqual([
    'server/src/cite.ts: cites docs/other.md, which does not exist',
  ]);
});
