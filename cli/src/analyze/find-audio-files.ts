import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { explainUnreadable } from '@earshot/mcp/open-file';
import { UsageError } from '../usage-error.ts';

/** Extensions of the files searched for in folders; a file that is named itself is analysed whatever its extension. */
const AUDIO_EXTENSIONS = new Set(
  '.wav .wave .aif .aiff .aifc .flac .mp3 .mp2 .ogg .oga .opus .m4a .mp4 .aac .caf .wv .tta .wma .webm .mka .ac3 .eac3 .dts .w64 .rf64'.split(
    ' ',
  ),
);

export type FindOptions = {
  /** The folder of our own output: files below it are skipped unless they are named themselves. */
  exceptFolder: string | null;
  /** Gets a sentence for each file or folder inside those given that cannot be read and is skipped. */
  warn: (sentence: string) => void;
};

/**
 * Files as given, the audio files below folders, and the files that match patterns (`'crate/**\/*.mp3'`), those of each input sorted
 * by path. Links to files are followed; links to folders are not, because they can form a cycle.
 */
export function findAudioFiles(inputs: readonly string[], options: FindOptions): string[] {
  const found = inputs.flatMap((input) => {
    const stat = statSync(input, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return listFiles(input, options).filter(isAudioName);
    if (stat) return [input];
    if (/[*?{[]/.test(input)) return expandPattern(input, options);
    throw new UsageError(`there is no file or folder ${input}`);
  });
  return [...new Set(found)];
}

/** Whether an existing folder is `outer` or inside it, whatever links lead there. Nothing is inside one that does not exist yet. */
export function isInside(inner: string, outer: string): boolean {
  // The native function also gives names their real case, where the file system ignores it.
  const real = realpathSync.native;
  return existsSync(outer) && `${real(inner)}${sep}`.startsWith(`${real(outer)}${sep}`);
}

export function isAudioName(path: string): boolean {
  return AUDIO_EXTENSIONS.has(extname(path).toLowerCase()) && !isAppleDouble(path);
}

/** On foreign file systems, macOS stores the metadata of `song.mp3` in `._song.mp3` (AppleDouble, RFC 1740). */
function isAppleDouble(path: string): boolean {
  return basename(path).startsWith('._');
}

/** Throws when `folder` itself cannot be read. */
function listFiles(folder: string, { exceptFolder, warn }: FindOptions): string[] {
  const files: string[] = [];
  const addEntriesOf = (parent: string, entries: readonly Dirent[]) => {
    if (exceptFolder !== null && isInside(parent, exceptFolder)) return;
    for (const entry of entries) {
      const path = join(parent, entry.name);
      // Node replaces bytes that are not UTF-8, and the resulting name does not exist.
      if (entry.name.includes('\ufffd') && !entry.isSymbolicLink() && !existsSync(path)) {
        if (entry.isDirectory() || isAudioName(path))
          warn(`${resolve(path)} cannot be opened: its name is not UTF-8.`);
      } else if (entry.isDirectory()) addEntriesOf(path, readFolder(path, warn));
      else if (entry.isFile() || (entry.isSymbolicLink() && isLinkToFile(path))) files.push(path);
    }
  };
  addEntriesOf(folder, readdirSync(folder, { withFileTypes: true }));
  return files.sort();
}

/** Empty, with a warning, when the folder cannot be read. */
function readFolder(folder: string, warn: FindOptions['warn']): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    warn(explainUnreadable(folder, error as NodeJS.ErrnoException));
    return [];
  }
}

function isLinkToFile(link: string): boolean {
  try {
    return statSync(link).isFile();
  } catch {
    return false;
  }
}

/** For shells that do not expand patterns, and for patterns in quotes. */
function expandPattern(pattern: string, options: FindOptions): string[] {
  const parts = pattern.split('/');
  const firstPatternIndex = parts.findIndex((part) => /[*?{[]/.test(part));
  const folder = parts.slice(0, firstPatternIndex).join('/') || (pattern.startsWith('/') ? '/' : '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`there is no folder ${folder} for the pattern ${pattern}`);
  const matches = patternToRegExp(parts.slice(firstPatternIndex).join('/'));
  const found = listFiles(folder, options).filter(
    (path) => matches.test(relative(folder, path).split(sep).join('/')) && !isAppleDouble(path),
  );
  if (found.length === 0) {
    const where = options.exceptFolder === null ? '' : ` outside ${options.exceptFolder}`;
    throw new UsageError(`no file fits the pattern ${pattern}${where}`);
  }
  return found;
}

/**
 * The patterns of a shell: `*` and `?` within a name, `**` across folders, `[abc]`, `{mp3,flac}`. Unlike there, hidden files match too,
 * a backslash is an ordinary character, and brackets with a descending range (`[Remix-Edit]`) match nothing at all.
 */
export function patternToRegExp(pattern: string): RegExp {
  const source = pattern.replaceAll(
    /\*\*\/|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}|[.+^$()|\\{}[\]]/g,
    (token) => {
      if (token === '**/') return '(?:[^/]+/)*';
      if (token === '**') return '.*';
      if (token === '*') return '[^/]*';
      if (token === '?') return '[^/]';
      if (token.length > 2 && token.startsWith('[')) return characterClassOf(token);
      if (token.length > 2 && token.startsWith('{')) {
        const choices = token
          .slice(1, -1)
          .split(',')
          .map((choice) => patternToRegExp(choice).source.slice(1, -1));
        return `(?:${choices.join('|')})`;
      }
      return `\\${token}`;
    },
  );
  return new RegExp(`^${source}$`, 'su');
}

function characterClassOf(token: string): string {
  const source = token.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
  try {
    new RegExp(source, 'u');
    return `(?!/)${source}`;
  } catch {
    return '(?!)';
  }
}
