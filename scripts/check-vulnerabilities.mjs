/**
 * No package of package-lock.json, development tools included, is of a version that is known to be vulnerable. Part of `npm run verify`.
 *
 *     npm run check:vulnerabilities                       against scripts/known-vulnerabilities.json; no network
 *     npm run check:vulnerabilities -- --osv FOLDER       and against an unpacked export of osv.dev (npm/all.zip)
 *
 * The list was gathered by hand, without a way to the advisory databases: each entry has its number in GitHub's (github.com/advisories/NUMBER)
 * or its CVE, but ranges of older ones are from memory and were not held against the database. It knows nothing that came later: whoever reaches the registry runs `npm audit` as well, and whoever
 * updates a dependency reads its advisories and adds them here.
 */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** `advisories`: package → number of the advisory → range of versions. Answers `name@version: number` for each that is hit. */
export function findVulnerable(lockfile, advisories) {
  const found = new Set();
  for (const [path, { name, version, link }] of Object.entries(lockfile.packages)) {
    if (!path.includes('node_modules/') || link) continue;
    // An alias has its real name inside.
    const real = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    for (const [number, range] of Object.entries(advisories[real] ?? {}))
      if (semver.satisfies(version, range, { includePrerelease: true }))
        found.add(`${real}@${version}: ${number}`);
  }
  return [...found].sort();
}

/** A range that says nothing would pass everything. */
export function findUnreadable(advisories) {
  return Object.entries(advisories).flatMap(([name, ranges]) =>
    Object.entries(ranges)
      .filter(
        ([number, range]) => semver.validRange(range) === null || !/^(GHSA|CVE|MAL)-[\w-]+$/.test(number),
      )
      .map(([number, range]) => `${name}: ${number} ${range}`),
  );
}

/** Files of osv.dev's schema, as the same table. An advisory that was withdrawn counts for nothing. */
export function readOsv(folder) {
  const advisories = {};
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const { id, withdrawn, affected = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    if (withdrawn) continue;
    for (const { package: one, ranges = [], versions = [] } of affected) {
      if (one?.ecosystem !== 'npm') continue;
      // Old packages have versions that are none; no lockfile of today names one.
      const named = versions.filter((version) => semver.valid(version));
      const range = [...ranges.filter(({ type }) => type === 'SEMVER').flatMap(toRanges), ...named];
      if (range.length === 0) continue;
      advisories[one.name] ??= {};
      advisories[one.name][id] = [advisories[one.name][id], ...range].filter(Boolean).join(' || ');
    }
  }
  return advisories;
}

/** Events may come in any order: introduced, then fixed, last affected or never mended. `limit` says nothing of a version. */
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
    `${Object.keys(lockfile.packages).length} packages, ${count} advisories read on ${list.read}, ${problems.length} to look at`,
  );
  return problems.length === 0 ? 0 : 1;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.slice(2));
