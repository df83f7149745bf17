import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** A file or folder that the child needs: its real path, and the path at which the child looks for it. */
export type NeededPath = { source: string; target: string; isProgram: boolean };

const PACKAGE_FILE = 'package.json';

/** The child's code: the folder of its entry, the nearest package file, and the folders of the packages that contain codecs. */
export function codePaths(entry: string): string[] {
  const ownPackage = nearestPackage(path.dirname(entry));
  return [path.dirname(entry), ownPackage, ...dependencyFolders(ownPackage)];
}

/**
 * The folders of all direct and indirect dependencies of a package, including optional ones. Listing the `node_modules` above them
 * instead would also grant the links to every workspace of the service.
 */
function dependencyFolders(packageFile: string, seen = new Set<string>()): string[] {
  const { dependencies = {}, optionalDependencies = {} } = readPackage(packageFile);
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  const own = names.flatMap((name) => {
    const folder = findInstalled(name, path.dirname(packageFile));
    // A package that is not installed is an optional one; a link leads to one of our workspaces.
    if (folder === null || seen.has(folder) || realpathSync(folder) !== folder) return [];
    seen.add(folder);
    return [folder];
  });
  return own.flatMap((folder) => [folder, ...dependencyFolders(path.join(folder, PACKAGE_FILE), seen)]);
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

function nearestPackage(folder: string): string {
  const file = path.join(folder, PACKAGE_FILE);
  return existsSync(file) || folder === path.dirname(folder) ? file : nearestPackage(path.dirname(folder));
}

/** Node itself and the libraries loaded in this process: the child runs the same program, so it needs the same ones. */
export function programPaths(): NeededPath[] {
  const mapped = new Set(mappedFiles());
  // The pattern excludes native addons of the caller (.node) and libraries replaced since they were loaded (" (deleted)").
  const libraries = [...mapped].filter((file) => /\.so(\.\d+)*$/.test(file) && existsSync(file));
  const targets = new Set(libraries.flatMap((file) => [file, ...otherNames(file)]));
  const needed = [process.execPath, interpreterOf(process.execPath), ...targets];
  return needed
    .filter((target) => target !== null)
    .map((target) => ({ source: realpathSync(target), target, isProgram: true }));
}

function mappedFiles(): string[] {
  const maps = readFileSync('/proc/self/maps', 'latin1');
  return [...maps.matchAll(/^\S+ ..x. \S+ \S+ \d+\s+(\/.*)$/gm)].map(([, file]) => file!);
}

/** A program requests libz.so.1, a link to libz.so.1.2.13; only the latter is in the list of mapped files. */
function otherNames(file: string): string[] {
  const names: string[] = [];
  for (let name = file; /\.\d+$/.test(name); ) {
    name = name.replace(/\.\d+$/, '');
    if (existsSync(name) && realpathSync(name) === file) names.push(name);
  }
  return names;
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
