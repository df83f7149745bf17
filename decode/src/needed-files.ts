import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import path from 'node:path';

/**
 * A file or folder that the child needs: its real path, and the path at which the child looks for it. The child may also execute a
 * program: Node, its loader, its libraries.
 */
export type NeededPath = { source: string; target: string; isProgram: boolean };

const PACKAGE_FILE = 'package.json';

/** The child's code: the folder of its entry (a real path), the nearest package file, the packages of its codecs and the links to them. */
export function codePaths(entry: string): string[] {
  const folder = path.dirname(entry);
  const ownPackage = nearestPackage(folder);
  if (ownPackage === null) return [folder];
  return [folder, ownPackage, ...addDependencies(ownPackage, new Set())];
}

/**
 * Adds the folders of all direct and indirect dependencies of a package, including optional ones, and the links through which Node finds
 * them where pnpm installed them. To list the `node_modules` above them instead would also grant the links to all workspaces.
 */
function addDependencies(packageFile: string, paths: Set<string>): Set<string> {
  const { dependencies = {}, optionalDependencies = {} } = readPackage(packageFile);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = findInstalled(name, path.dirname(packageFile));
    // An optional one.
    if (found === null) continue;
    const folder = realpathSync(found);
    // One of our workspaces.
    if (!folder.split(path.sep).includes('node_modules')) continue;
    const isKnown = paths.has(folder);
    paths.add(found).add(folder);
    if (!isKnown) addDependencies(path.join(folder, PACKAGE_FILE), paths);
  }
  return paths;
}

/** Searches where Node does. Node's own resolver would take three times as long. */
function findInstalled(name: string, fromFolder: string): string | null {
  const folder = path.join(fromFolder, 'node_modules', name);
  if (existsSync(path.join(folder, PACKAGE_FILE))) return folder;
  const above = path.dirname(fromFolder);
  return above === fromFolder ? null : findInstalled(name, above);
}

type PackageFile = { dependencies?: object; optionalDependencies?: object };

function readPackage(file: string): PackageFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as PackageFile;
  } catch {
    return {};
  }
}

function nearestPackage(folder: string): string | null {
  const file = path.join(folder, PACKAGE_FILE);
  if (existsSync(file)) return file;
  const above = path.dirname(folder);
  return above === folder ? null : nearestPackage(above);
}

const LIBRARY_NAME = /\.so(\.\d+)*$/;

/** Node itself and the libraries loaded in this process: the child runs the same program, so it needs the same ones. */
export function programPaths(): NeededPath[] {
  const mapped = new Set(mappedFiles());
  // The pattern excludes native addons of the caller (.node) and libraries replaced since they were loaded (" (deleted)").
  const libraries = [...mapped].filter((file) => LIBRARY_NAME.test(file) && existsSync(file));
  const targets = new Set([...libraries, ...linksTo(libraries)]);
  const needed = [process.execPath, interpreterOf(process.execPath), ...targets];
  return needed
    .filter((target) => target !== null)
    .map((target) => ({ source: realpathSync(target), target, isProgram: true }));
}

function mappedFiles(): string[] {
  const maps = readFileSync('/proc/self/maps', 'latin1');
  return [...maps.matchAll(/^\S+ ..x. \S+ \S+ \d+\s+(\/.*)$/gm)].map(([, file]) => file!);
}

/**
 * The links to these libraries beside them. A program requests libz.so.1 or libc.so.6, which ldconfig links to libz.so.1.2.13 and, before
 * glibc 2.34, libc-2.31.so; only the latter are in the list of mapped files.
 */
export function linksTo(libraries: readonly string[]): string[] {
  const folders = [...new Set(libraries.map((file) => path.dirname(file)))];
  return folders
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isSymbolicLink() && LIBRARY_NAME.test(entry.name))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((link) => libraries.includes(path.resolve(path.dirname(link), readlinkSync(link))));
}

/** PT_INTERP of elf(5). The offsets below are those of the 64-bit layout. */
const INTERPRETER_SEGMENT = 3;

/** The dynamic loader of an ELF program; null if it names none or the file is not an ELF program. */
export function interpreterOf(program: string): string | null {
  const head = Buffer.alloc(4_096);
  const file = openSync(program, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
    if (head.readUInt32BE(0) !== 0x7f454c46) return null;
    const [tableAt, entryBytes, entryCount] = [
      Number(head.readBigUInt64LE(32)),
      head.readUInt16LE(54),
      head.readUInt16LE(56),
    ];
    for (let at = tableAt; at < tableAt + entryBytes * entryCount; at += entryBytes) {
      if (at + entryBytes > head.length) return null;
      if (head.readUInt32LE(at) !== INTERPRETER_SEGMENT) continue;
      const name = Buffer.alloc(Number(head.readBigUInt64LE(at + 32)));
      readSync(file, name, 0, name.length, Number(head.readBigUInt64LE(at + 8)));
      return name.toString('latin1').replace(/\0.*$/, '');
    }
    return null;
  } finally {
    closeSync(file);
  }
}
