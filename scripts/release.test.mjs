import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
const checkout = mkdtempSync(join(tmpdir(), 'earshot-release-test-'));
const git = (...args) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
const release = (...args) =>
  spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: checkout, encoding: 'utf8' });
const commit = () => git('-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '-qam', 'test');

/** Copies the files as they are, committed or not; the changelog is its own, since ours has nothing pending after a release. */
beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  });
  const wanted =
    /(^|\/)package(-lock)?\.json$|version\.(ts|py)$|openapi\.json$|pyproject|kustomization|^scripts\//;
  for (const file of files.split('\n').filter((name) => wanted.test(name))) {
    cpSync(join(repository, file), join(checkout, file), { recursive: true });
  }
  writeFileSync(
    join(checkout, 'CHANGELOG.md'),
    '# Changelog\n\n## Pending\n\n### Engine\n\n- Something new.\n',
  );
  git('init', '-q');
  git('add', '--all');
  commit();
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

it('a dry run shows version, files, the message of the tag and provenance, and changes nothing', () => {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')];
  const { status, stdout, stderr } = release('minor', '--dry-run');
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const [major, minor] = version.split('.').map(Number);
  expect(stdout).toContain(`${version} → v${major}.${minor + 1}.0`);
  for (const file of [
    'engine/package.json',
    'package-lock.json',
    'engine/src/version.ts',
    'pyproject.toml',
    '_version.py',
    'openapi.json',
    'kustomization.yaml',
    'CHANGELOG.md',
  ]) {
    expect(stdout).toContain(file);
  }
  const chapter = `^## ${major}\\.${minor + 1}\\.0 \\(.+\\)\n\n### Engine\n\n- Something new\\.$`;
  expect(stdout).toMatch(new RegExp(chapter, 'm'));
  expect(stdout).toMatch(/"lockfile_sha256": "[0-9a-f]{64}"/);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual(before);
});

it.each([
  ['an unknown step', ['huge', '--dry-run'], /which version/],
  ['no step', [], /which version/],
])('refuses %s', (_, args, sentence) => {
  const { status, stderr } = release(...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(sentence);
});

it('refuses a version that has a tag', () => {
  git('tag', 'v9.0.0');
  const { status, stderr } = release('9.0.0', '--dry-run');
  git('tag', '--delete', 'v9.0.0');
  expect(stderr).toContain('the tag v9.0.0 already exists');
  expect(status).toBe(2);
});

it('refuses a release of uncommitted changes, and keeps them', () => {
  writeFileSync(join(checkout, 'CHANGELOG.md'), '# Changelog\n\n## Pending\n\n- Not committed.\n');
  const { status, stderr } = release('patch');
  const left = git('status', '--porcelain');
  git('checkout', '--', 'CHANGELOG.md');
  expect(stderr).toContain('uncommitted changes');
  expect(status).toBe(2);
  expect([left, git('tag')]).toEqual(['M CHANGELOG.md', '']);
});

it.each([
  [
    'nothing pending',
    'CHANGELOG.md',
    '# Changelog\n\n## Pending\n\n## 0.0.1 (2026-01-01)\n\n- First.\n',
    'nothing pending',
  ],
  [
    'a file of another version',
    'clients/python/pyproject.toml',
    'version = "0.0.0"\n',
    'pyproject.toml does not name the version',
  ],
])('refuses a release with %s, and changes nothing', (_, path, text, sentence) => {
  writeFileSync(join(checkout, path), text);
  commit();
  const before = git('rev-parse', 'HEAD');
  const { status, stderr } = release('patch');
  expect(status).toBe(2);
  expect(stderr).toContain(sentence);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', '']);
  git('reset', '--hard', '--quiet', 'HEAD~1');
});
