/**
 * Whether a build is current. A record next to the build has the hashes of its sources and the names of its outputs; modification times are
 * ignored, because a checkout changes them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** File timestamps lag behind the clock by up to one tick of the kernel: 10 ms at 100 Hz, the lowest rate of Linux. */
const TICK_MS = 10;

/**
 * The sources at the start of a build. Each is read once per build, so that one which changes during the build counts as changed next
 * time.
 */
export const readOnce = (startedMs = Date.now()) => ({ startedMs, hashes: new Map() });

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

/**
 * A first build has no record of what to read beforehand, so its sources are read afterwards. If one has changed since the start, the
 * version that was built is unknown.
 */
function builtHashOf(file, { startedMs, hashes }) {
  if (!hashes.has(file)) {
    const hash = readHash(file);
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    hashes.set(file, found && found.ctimeMs < startedMs - TICK_MS ? hash : 'unknown');
  }
  return hashes.get(file);
}

/** Paths are relative to the repository. `alwaysSources` are sources that are not imported, such as the builder itself. */
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
  // Renamed into place, so that a concurrent build never reads half a record.
  await writeFile(
    `${path}.${process.pid}`,
    JSON.stringify({ sources: Object.fromEntries(entries), outputs }),
  );
  await rename(`${path}.${process.pid}`, path);
}

/** The files below a folder for which `isSource` holds. */
export function filesUnder(folder, isSource = () => true) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(isSource);
}
