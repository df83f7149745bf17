import { readdirSync, statSync } from 'node:fs';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../usage-error.ts';

/** Endings looked for inside folders; a file named on the command line is tried whatever it is called. */
const AUDIO_ENDINGS = new Set(
  '.wav .wave .aif .aiff .aifc .flac .mp3 .mp2 .ogg .oga .opus .m4a .mp4 .aac .caf .wv .tta .wma .webm .mka .ac3 .eac3 .dts .w64 .rf64'.split(
    ' ',
  ),
);

/**
 * Files as given; folders as the audio files below them, and patterns (`'crate/**\/*.mp3'`) as what fits them, sorted by
 * name. What lies below `exceptFolder` is our own output and not looked at.
 */
export function findAudioFiles(inputs: readonly string[], exceptFolder: string | null = null): string[] {
  const found = inputs.flatMap((input) => {
    const stat = statSync(input, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return listAudioFiles(input);
    if (stat) return [input];
    if (/[*?{[]/.test(input)) return expandPattern(input);
    throw new UsageError(`there is no file or folder ${input}`);
  });
  const isOurs = (path: string) =>
    exceptFolder !== null && resolve(path).startsWith(`${resolve(exceptFolder)}${sep}`);
  return [...new Set(found)].filter((path) => inputs.includes(path) || !isOurs(path));
}

function listAudioFiles(folder: string): string[] {
  return listFiles(folder).filter(isAudioName);
}

export function isAudioName(path: string): boolean {
  return AUDIO_ENDINGS.has(extname(path).toLowerCase()) && !isAppleDouble(path);
}

/** On a stick, macOS puts what its own disks keep of `song.mp3` into `._song.mp3`, which is no audio (RFC 1740). */
function isAppleDouble(path: string): boolean {
  return basename(path).startsWith('._');
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** For shells that do not expand patterns, and for patterns in quotes. */
function expandPattern(pattern: string): string[] {
  const parts = pattern.split('/');
  const firstPatternIndex = parts.findIndex((part) => /[*?{[]/.test(part));
  const folder = parts.slice(0, firstPatternIndex).join('/') || (pattern.startsWith('/') ? '/' : '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`there is no folder ${folder} for the pattern ${pattern}`);
  const fits = patternToRegExp(parts.slice(firstPatternIndex).join('/'));
  const found = listFiles(folder).filter(
    (path) => fits.test(relative(folder, path).split(sep).join('/')) && !isAppleDouble(path),
  );
  if (found.length === 0) throw new UsageError(`no file fits the pattern ${pattern}`);
  return found;
}

/** `*` and `?` within a name, `**` over folders, `[abc]`, `{mp3,flac}`; as a shell reads them; unlike there, hidden files fit too. */
export function patternToRegExp(pattern: string): RegExp {
  const source = pattern.replaceAll(
    /\*\*\/|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}|[.+^$()|\\{}[\]]/g,
    (token) => {
      if (token === '**/') return '(?:[^/]+/)*';
      if (token === '**') return '.*';
      if (token === '*') return '[^/]*';
      if (token === '?') return '[^/]';
      if (token.length > 2 && token.startsWith('[')) return token.replace(/^\[!/, '[^');
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
  return new RegExp(`^${source}$`);
}
