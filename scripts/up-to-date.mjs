/**
 * Whether something built is what its sources say. Beside the build lies a record of the sources' hashes and of the files that were
 * made; times do not count, since a checkout writes them anew.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** File times lag behind the clock by up to a tick of the kernel. */
const TICK_MS = 10;

/**
 * What the sources were when a build began: each is read once for the whole build, so that one which changes meanwhile counts as
 * changed the next time.
 */
export const readOnce = (beganMs = Date.now()) => ({ beganMs, hashes: new Map() });

function hashOf(file, { hashes }) {
  if (!hashes.has(file)) hashes.set(file, readHash(file));
  return hashes.get(file);
}

function readHash(file) {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('base64url');
  } catch (error) {
    if (error.code === 'ENOENT') return 'absent';
    throw error;
  }
}

/** A first build has no record to say what to read beforehand: of a source that has changed since, nobody knows what was built. */
function builtHashOf(file, { beganMs, hashes }) {
  if (!hashes.has(file)) {
    const hash = readHash(file);
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    hashes.set(file, found && found.ctimeMs < beganMs - TICK_MS ? hash : 'unknown');
  }
  return hashes.get(file);
}

/** Paths are relative to the repository. `alwaysSources` are those that no list of imports has, such as the builder itself. */
export function isUpToDate(record, alwaysSources, reading) {
  if (!existsSync(join(root, record))) return false;
  const { sources, outputs } = JSON.parse(readFileSync(join(root, record), 'utf8'));
  return (
    alwaysSources.every((file) => file in sources) &&
    outputs.every((file) => existsSync(join(root, file))) &&
    Object.entries(sources).every(([file, hash]) => hashOf(file, reading) === hash)
  );
}

export async function recordBuild(record, { sources, outputs }, reading) {
  const path = join(root, record);
  const entries = sources.toSorted().map((file) => [file, builtHashOf(file, reading)]);
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
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(isSource);
}
