/**
 * Whether something built is what its sources say. Beside the build lies a record of the sources' hashes and of the files that were
 * made; times do not count, since a checkout writes them anew.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * What the sources were when a build began: it is read once for the whole build, so that a source which changes meanwhile counts as
 * changed the next time.
 */
export const readOnce = () => new Map();

function hashOf(file, hashes) {
  let hash = hashes.get(file);
  if (hash === undefined) {
    try {
      hash = createHash('sha256')
        .update(readFileSync(join(root, file)))
        .digest('base64url');
    } catch {
      hash = 'absent';
    }
    hashes.set(file, hash);
  }
  return hash;
}

/** Paths are relative to the repository. `alwaysSources` are those that no list of imports has, such as the builder itself. */
export function isUpToDate(record, alwaysSources, hashes) {
  if (!existsSync(join(root, record))) return false;
  const { sources, outputs } = JSON.parse(readFileSync(join(root, record), 'utf8'));
  return (
    alwaysSources.every((file) => file in sources) &&
    outputs.every((file) => existsSync(join(root, file))) &&
    Object.entries(sources).every(([file, hash]) => hashOf(file, hashes) === hash)
  );
}

export async function recordBuild(record, { sources, outputs }, hashes) {
  const path = join(root, record);
  const entries = sources.toSorted().map((file) => [file, hashOf(file, hashes)]);
  await mkdir(dirname(path), { recursive: true });
  // Renamed into place: another build at the same time reads a whole one.
  await writeFile(
    `${path}.${process.pid}`,
    JSON.stringify({ sources: Object.fromEntries(entries), outputs }),
  );
  await rename(`${path}.${process.pid}`, path);
}

/** The files of a folder and the folders in it, those that `isSource` takes. */
export function filesUnder(folder, isSource = () => true) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .filter(isSource);
}
