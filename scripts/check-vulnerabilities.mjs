/**
 * Checks that package-lock.json, development tools included, has no version that is known to be vulnerable. Part of `npm run verify`.
 *
 *     npm run check:vulnerabilities                       against scripts/known-vulnerabilities.json; no network
 *     npm run check:vulnerabilities -- --osv FOLDER       also against an unpacked export of osv.dev (npm/all.zip)
 *
 * The list was compiled by hand, without access to the advisory databases. Each entry has its GitHub id (github.com/advisories/ID) or its
 * CVE, but the ranges of older ones are from memory and have not been verified. It knows no later advisories: run `npm audit` as well where
 * the registry can be reached, and add the advisories of a dependency when you update it.
 */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';
import { packageNameOf } from './lockfile.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** `advisories`: package → advisory id → range of versions. Returns `name@version: id` for each match. */
export function findVulnerable(lockfile, advisories) {
  const found = new Set();
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    if (!path.includes('node_modules/') || entry.link) continue;
    const name = packageNameOf(path, entry);
    for (const [id, range] of Object.entries(advisories[name] ?? {}))
      if (semver.satisfies(entry.version, range, { includePrerelease: true }))
        found.add(`${name}@${entry.version}: ${id}`);
  }
  return [...found].sort();
}

/** Invalid ranges and ids: an invalid range would match nothing, and pass every version. */
export function findUnreadable(advisories) {
  return Object.entries(advisories).flatMap(([name, ranges]) =>
    Object.entries(ranges)
      .filter(([id, range]) => semver.validRange(range) === null || !/^(GHSA|CVE|MAL)-[\w-]+$/.test(id))
      .map(([id, range]) => `${name}: ${id} ${range}`),
  );
}

/** Files of osv.dev's schema, converted to the same table. Withdrawn advisories are skipped. */
export function readOsv(folder) {
  const advisories = {};
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const { id, withdrawn, affected = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    if (withdrawn) continue;
    for (const { package: one, ranges = [], versions = [] } of affected) {
      if (one?.ecosystem !== 'npm') continue;
      // Some old packages have versions that are not semver; no current lockfile contains one.
      const named = versions.filter((version) => semver.valid(version));
      const range = [...ranges.filter(({ type }) => type === 'SEMVER').flatMap(toRanges), ...named];
      if (range.length === 0) continue;
      advisories[one.name] ??= {};
      advisories[one.name][id] = [advisories[one.name][id], ...range].filter(Boolean).join(' || ');
    }
  }
  return advisories;
}

/** Events may come in any order: introduced, then fixed, last affected or neither. `limit` does not end a range of versions. */
function toRanges({ events }) {
  const ranges = [];
  let since = null;
  for (const { introduced, fixed, last_affected } of events.toSorted(byVersion)) {
    if (introduced !== undefined) since ??= versionOf({ introduced });
    if (since === null || (fixed ?? last_affected) === undefined) continue;
    ranges.push(`>=${since} ${fixed === undefined ? `<=${last_affected}` : `<${fixed}`}`);
    since = null;
  }
  return since === null ? ranges : [...ranges, `>=${since}`];
}

const versionOf = ({ introduced, fixed, last_affected, limit }) =>
  introduced === '0' ? '0.0.0-0' : (introduced ?? fixed ?? last_affected ?? limit);

function byVersion(a, b) {
  const [one, other] = [versionOf(a), versionOf(b)];
  return semver.valid(one) && semver.valid(other) ? semver.compare(one, other) : 0;
}

function main(args) {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const list = JSON.parse(readFileSync(join(root, 'scripts', 'known-vulnerabilities.json'), 'utf8'));
  const problems = [...findUnreadable(list.advisories), ...findVulnerable(lockfile, list.advisories)];
  const at = args.indexOf('--osv');
  if (at >= 0) {
    const advisories = readOsv(args[at + 1]);
    problems.push(...findUnreadable(advisories), ...findVulnerable(lockfile, advisories));
  }
  for (const problem of problems) console.error(problem);
  const count = Object.values(list.advisories).flatMap(Object.keys).length;
  console.log(
    `${Object.keys(lockfile.packages).length} packages, ${count} advisories read on ${list.read}, ${problems.length} to review`,
  );
  return problems.length === 0 ? 0 : 1;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.slice(2));
