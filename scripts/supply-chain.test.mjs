import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLicences } from './check-licences.mjs';
import { findUnreadable, findVulnerable, readOsv } from './check-vulnerabilities.mjs';
import { formatSbom, makeSbom } from './sbom.mjs';

const readRepositoryFile = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const lockfile = JSON.parse(readRepositoryFile('package-lock.json'));
const { advisories } = JSON.parse(readRepositoryFile('scripts/known-vulnerabilities.json'));

/** The lockfile with another version of one package. */
function withVersion(path, version) {
  return { packages: { ...lockfile.packages, [path]: { ...lockfile.packages[path], version } } };
}

test('no dependency is known to be vulnerable', () => {
  expect(findUnreadable(advisories)).toEqual([]);
  expect(findVulnerable(lockfile, advisories)).toEqual([]);
});

test('a vulnerable version is found at any depth, also of a development tool', () => {
  expect(findVulnerable(withVersion('node_modules/fastify', '5.7.1'), advisories)).toContain(
    'fastify@5.7.1: GHSA-jx2c-rxcm-jvmq',
  );
  expect(findVulnerable(withVersion('node_modules/picomatch', '4.0.3'), advisories)).toEqual([
    'picomatch@4.0.3: GHSA-3v7f-55p6-f55p',
    'picomatch@4.0.3: GHSA-c2c7-rcm5-vvqj',
  ]);
  const nested = { packages: { 'node_modules/a/node_modules/qs': { version: '6.13.0' } } };
  expect(findVulnerable(nested, advisories)).toContain('qs@6.13.0: GHSA-6rw7-vpxm-498p');
});

test('a production package has a permissive licence, or was reviewed by name', () => {
  const check = (name, entry) =>
    checkLicences({ packages: { [`node_modules/${name}`]: { version: '1.0.0', ...entry } } }).problems;
  expect(check('a', { license: '(MIT OR GPL-2.0)' })).toEqual([]);
  for (const license of ['MIT AND GPL-2.0', 'GPL-2.0 AND (MIT OR ISC)', '(MIT OR ISC) AND (GPL-2.0)'])
    expect(check('a', { license })).toEqual([`a@1.0.0: ${license}`]);
  expect(check('a', { license: 'GPL-2.0', dev: true })).toEqual([]);
  // Reviewed under one licence, and only as an optional package.
  expect(check('codec-parser', { license: 'LGPL-3.0-or-later' })).toEqual([]);
  expect(check('codec-parser', { license: 'GPL-3.0' })).toEqual(['codec-parser@1.0.0: GPL-3.0']);
  expect(check('@audio/decode-aac', { license: 'GPL-2.0', optional: true })).toEqual([]);
  expect(check('@audio/decode-aac', { license: 'GPL-2.0' })).toEqual(['@audio/decode-aac@1.0.0: GPL-2.0']);
  // Another package under the name of a reviewed one.
  expect(check('codec-parser', { license: 'LGPL-3.0-or-later', name: 'other' })).toEqual([
    'other@1.0.0: LGPL-3.0-or-later',
  ]);
  expect(check('not-installed-here', {})).toEqual([
    'not-installed-here@1.0.0: not installed, and the lockfile names none',
  ]);
});

test('tools that a production package names as optional are type declarations, which do not run', () => {
  const names = Object.entries(lockfile.packages).flatMap(([path, { devOptional }]) =>
    devOptional ? [path.replace('node_modules/', '')] : [],
  );
  expect(names.filter((name) => !name.startsWith('@types/'))).toEqual(['csstype', 'undici-types']);
});

test('every advisory of the list is about a package in the lockfile', () => {
  const names = new Set(Object.keys(lockfile.packages).map((path) => path.split('node_modules/').at(-1)));
  expect(Object.keys(advisories).filter((name) => !names.has(name))).toEqual([]);
});

test('an export of osv.dev is read: ranges, listed versions, withdrawn advisories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-osv-'));
  const write = (id, affected, more = {}) =>
    writeFileSync(join(folder, `${id}.json`), JSON.stringify({ id, affected, ...more }));
  const zod = { name: 'zod', ecosystem: 'npm' };
  const all = [{ type: 'SEMVER', events: [{ introduced: '0' }] }];
  write('GHSA-open', [{ package: zod, ranges: all }]);
  write('GHSA-fixed', [
    { package: zod, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.0.0' }] }] },
  ]);
  const events = (...list) => [{ package: zod, ranges: [{ type: 'SEMVER', events: list }] }];
  const { version } = lockfile.packages['node_modules/zod'];
  write('GHSA-last', events({ introduced: '0' }, { last_affected: version }));
  write('GHSA-fixed-here', events({ introduced: '0' }, { fixed: version }));
  write('GHSA-since', events({ introduced: version }));
  write('GHSA-older', events({ introduced: '0' }, { last_affected: '1.0.0' }));
  write('GHSA-limited', events({ introduced: '0' }, { limit: '99.0.0' }));
  const unsorted = [{ introduced: '3.0.0' }, { introduced: '0' }, { fixed: '1.0.0' }, { fixed: '99.0.0' }];
  write('GHSA-unsorted', events(...unsorted));
  write('GHSA-odd', [{ package: zod, ranges: all, versions: ['a version of long ago'] }]);
  write('MAL-named', [{ package: zod, versions: [version] }]);
  write('GHSA-withdrawn', [{ package: zod, ranges: all }], { withdrawn: '2026-01-01T00:00:00Z' });
  write('PYSEC-other', [{ package: { name: 'zod', ecosystem: 'PyPI' }, ranges: all }]);
  try {
    const hit = ['last', 'limited', 'odd', 'open', 'since', 'unsorted'].map((name) => `GHSA-${name}`);
    hit.push('MAL-named');
    expect(findVulnerable(lockfile, readOsv(folder))).toEqual(hit.map((id) => `zod@${version}: ${id}`));
    expect(findUnreadable(readOsv(folder))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the committed bill of materials is current, and names no machine and no registry', () => {
  const committed = readRepositoryFile('sbom.cdx.json');
  expect(committed).toBe(formatSbom(makeSbom(lockfile)));
  expect(committed.match(/https?:\/\/[^"]*/g)).toEqual(['http://cyclonedx.org/schema/bom-1.5.schema.json']);
  expect(formatSbom(makeSbom(withVersion('node_modules/zod', '0.0.1')))).not.toBe(committed);
});

test('the bill of materials has the real name of a package that is installed under another', () => {
  const { components, dependencies } = makeSbom({
    packages: {
      '': { license: 'MIT', dependencies: { alias: 'npm:real@1.0.0' } },
      'node_modules/alias': { name: 'real', version: '1.0.0' },
    },
  });
  expect(components).toEqual([
    {
      'bom-ref': 'pkg:npm/real@1.0.0',
      type: 'library',
      name: 'real',
      version: '1.0.0',
      scope: 'required',
      purl: 'pkg:npm/real@1.0.0',
    },
  ]);
  expect(dependencies[0]).toEqual({ ref: 'earshot', dependsOn: ['pkg:npm/real@1.0.0'] });
});

test('the bill of materials has licences, digests and the version that each package would load, and is optional only if all copies are', () => {
  const { components, dependencies } = makeSbom({
    packages: {
      '': { license: 'MIT', dependencies: { a: '1', b: '1' } },
      'node_modules/a': {
        version: '1.0.0',
        license: 'MIT',
        integrity: 'sha512-AQI=',
        dependencies: { b: '2' },
        optionalDependencies: { c: '1' },
      },
      'node_modules/a/node_modules/b': { version: '2.0.0', license: '(MIT OR ISC)', optional: true },
      'node_modules/a/node_modules/c': { version: '1.0.0' },
      'node_modules/b': { version: '1.0.0', license: 'SEE LICENSE IN README' },
      'node_modules/c': { version: '1.0.0', optional: true },
    },
  });
  expect(components.map(({ purl, scope, licenses, hashes }) => [purl, scope, licenses, hashes])).toEqual([
    ['pkg:npm/a@1.0.0', 'required', [{ license: { id: 'MIT' } }], [{ alg: 'SHA-512', content: '0102' }]],
    ['pkg:npm/b@1.0.0', 'required', [{ license: { name: 'SEE LICENSE IN README' } }], undefined],
    ['pkg:npm/b@2.0.0', 'optional', [{ expression: '(MIT OR ISC)' }], undefined],
    ['pkg:npm/c@1.0.0', 'required', undefined, undefined],
  ]);
  expect(dependencies.map(({ ref, dependsOn }) => [ref, ...dependsOn])).toEqual([
    ['earshot', 'pkg:npm/a@1.0.0', 'pkg:npm/b@1.0.0'],
    ['pkg:npm/a@1.0.0', 'pkg:npm/b@2.0.0', 'pkg:npm/c@1.0.0'],
    ['pkg:npm/b@1.0.0'],
    ['pkg:npm/b@2.0.0'],
    ['pkg:npm/c@1.0.0'],
  ]);
});

test('the bill of materials is complete: every component is reachable from ours, and packages shared with tools are included', () => {
  const { components, dependencies } = makeSbom(lockfile);
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set();
  const visit = (ref) => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of needs.get(ref)) visit(next);
  };
  visit('earshot');
  expect(components.map((component) => component['bom-ref']).filter((ref) => !reached.has(ref))).toEqual([]);
  expect(components.length).toBe(reached.size - 1);
  expect(components.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['zod', 'ajv', 'music-metadata']),
  );
  expect(components.map(({ name }) => name)).not.toContain('vitest');
});
