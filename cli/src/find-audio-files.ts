import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Endings looked for inside folders; a file named on the command line is tried whatever it is called. */
const AUDIO_ENDINGS = new Set(
  '.wav .wave .aif .aiff .aifc .flac .mp3 .mp2 .ogg .oga .opus .m4a .mp4 .aac .caf .wv .tta .wma .webm .mka .ac3 .eac3 .dts .w64 .rf64'.split(
    ' ',
  ),
);

/** Files as given; folders as the audio files below them, sorted by name. Throws a readable error for what is not there. */
export function findAudioFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) throw new Error(`there is no file or folder ${path}`);
    if (!stat.isDirectory()) return [path];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && AUDIO_ENDINGS.has(extname(entry.name).toLowerCase()))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  });
}
