/**
 * The bill of materials of what runs in production (CycloneDX 1.5), generated from package-lock.json alone:
 *
 *     npm run sbom             writes sbom.cdx.json
 *     npm run sbom -- --check  checks that it is current; part of `npm run verify`
 *
 * `npm sbom --omit=dev` will not do: it omits packages that a development tool needs as well (npm 11: zod, ajv and more), and contains the
 * folder of the checkout. This output does not depend on the machine, the registry or the time, so two runs write the same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isProduction, packageNameOf } from './lockfile.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SBOM_PATH = join(root, 'sbom.cdx.json');
const SPDX_ID = /^[A-Za-z0-9.+-]+$/;

export function makeSbom(lockfile) {
  const { packages } = lockfile;
  const runs = Object.entries(packages).filter(([path, entry]) => isProduction(path, entry));
  // The same version of a package may be installed in several places.
  const components = new Map();
  const dependsOn = new Map();
  for (const [path, entry] of runs) {
    const ref = referenceOf(path, entry);
    const { optional } = components.get(ref) ?? { optional: true };
    components.set(ref, { path, entry, optional: optional && entry.optional === true });
    dependsOn.set(ref, new Set([...(dependsOn.get(ref) ?? []), ...neededBy(packages, path, entry)]));
  }
  const ours = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'));
  dependsOn.set('earshot', new Set(ours.flatMap(([path, entry]) => neededBy(packages, path, entry))));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'pre-build' }],
      component: {
        'bom-ref': 'earshot',
        type: 'application',
        name: 'earshot',
        licenses: [{ license: { id: packages[''].license } }],
      },
    },
    components: [...components].sort(byKey).map(([ref, component]) => describe(ref, component)),
    dependencies: [...dependsOn].sort(byKey).map(([ref, refs]) => ({ ref, dependsOn: [...refs].sort() })),
  };
}

const byKey = ([left], [right]) => (left < right ? -1 : 1);

function referenceOf(path, entry) {
  return `pkg:npm/${packageNameOf(path, entry).replace('@', '%40')}@${entry.version}`;
}

/** References to the dependencies of a package, each resolved as Node would: in the nearest node_modules above. */
function neededBy(packages, path, { dependencies = {}, optionalDependencies = {}, peerDependencies = {} }) {
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => {
    const found = foldersAbove(path)
      .map((folder) => `${folder}node_modules/${name}`)
      .find((candidate) => packages[candidate] !== undefined);
    const entry = found === undefined ? undefined : packages[found];
    return entry && isProduction(found, entry) ? [referenceOf(found, entry)] : [];
  });
}

function foldersAbove(path) {
  const parts = path === '' ? [] : path.split('/');
  return Array.from({ length: parts.length + 1 }, (_, count) =>
    parts
      .slice(0, parts.length - count)
      .map((part) => `${part}/`)
      .join(''),
  );
}

function describe(ref, { path, entry, optional }) {
  const { version, license, integrity } = entry;
  return {
    'bom-ref': ref,
    type: 'library',
    name: packageNameOf(path, entry),
    version,
    scope: optional ? 'optional' : 'required',
    ...(integrity ? { hashes: integrity.split(' ').map(toHash) } : {}),
    ...(license ? { licenses: [toLicence(license)] } : {}),
    purl: ref,
  };
}

function toHash(integrity) {
  const [algorithm, digest] = integrity.split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}

/** An SPDX identifier, an SPDX expression, or any other text. */
function toLicence(license) {
  const parts = license.replaceAll(/[()]/g, '').split(/ (?:OR|AND|WITH) /);
  if (!parts.every((part) => SPDX_ID.test(part))) return { license: { name: license } };
  return parts.length === 1 ? { license: { id: license } } : { expression: license };
}

export function formatSbom(sbom) {
  return `${JSON.stringify(sbom, null, 1)}\n`;
}

function main() {
  const wanted = formatSbom(makeSbom(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))));
  if (!process.argv.includes('--check')) {
    writeFileSync(SBOM_PATH, wanted);
    return 0;
  }
  if (readFileSync(SBOM_PATH, 'utf8') === wanted) return 0;
  console.error('sbom.cdx.json is out of date: npm run sbom');
  return 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
