/**
 * Checks that every production dependency has a licence compatible with shipping under Apache-2.0. The GPL codecs of docs/licences.md are
 * allowed by name, and only as optional dependencies, which images are built without. Reads package-lock.json and node_modules; needs no
 * network.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isProduction, packageNameOf } from './lockfile.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
];

/** Packages reviewed by hand, with the licence they declared then. A package that changes its licence needs another review. */
const REVIEWED = {
  // Used as the LGPL requires: unmodified, in a separate file, replaceable (docs/licences.md).
  'codec-parser': 'LGPL-3.0-or-later',
  // Bitstream Vera: may be shipped with any software, but not sold by itself.
  'dejavu-fonts-ttf': 'SEE LICENSE IN README.md AND LICENSE',
  // Its LICENSE file is the MIT licence.
  'png-js': 'none declared',
};

/** docs/licences.md, "Optional": never required, and run in a separate process. */
const OPTIONAL_CODECS = {
  '@audio/decode-aac': 'GPL-2.0',
  '@audio/decode-dts': 'GPL-2.0-or-later',
  '@audio/decode-eac3': 'LGPL-2.1-or-later',
  '@audio/decode-wma': 'LGPL-2.1-or-later',
};

/** The number of production packages, and `name@version: licence` of each that needs a review. */
export function checkLicences({ packages }) {
  const problems = [];
  let count = 0;
  for (const [path, entry] of Object.entries(packages)) {
    if (!isProduction(path, entry)) continue;
    const name = packageNameOf(path, entry);
    const licence = entry.license ?? readDeclared(path, entry);
    count += 1;
    if (licence === null || isPermissive(licence) || REVIEWED[name] === licence) continue;
    if (OPTIONAL_CODECS[name] === licence && entry.optional) continue;
    problems.push(`${name}@${entry.version}: ${licence}`);
  }
  return { count, problems };
}

/** "(MIT OR GPL-2.0)" leaves the choice to us; "MIT AND ISC" requires both. An expression with parentheses inside is left to a review. */
function isPermissive(expression) {
  const parts = expression.replace(/^\(([^()]*)\)$/, '$1').split(' OR ');
  return parts.some((part) => part.split(' AND ').every((one) => PERMISSIVE.includes(one)));
}

/** Null for a package that is not installed because it is a binary for another platform. */
function readDeclared(path, entry) {
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'none declared';
  } catch {
    return entry.optional ? null : 'not installed, and the lockfile names none';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { count, problems } = checkLicences(lockfile);
  for (const problem of problems) console.error(problem);
  console.log(`${count} packages run in production, ${problems.length} with a licence to review`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
