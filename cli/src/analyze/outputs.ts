/** Writes the files of each song: result, exports, report and tagged copy. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { EXPORTS, ExportUnavailable } from '@earshot/exports';
import { songTagsOf, TagsUnavailable } from '../tags/song-tags.ts';
import { writeTaggedCopy } from '../tags/write-tagged-copy.ts';
import type { AnalyzeOptions } from './analyze-options.ts';
import type { Song } from './song.ts';

/** Writes what the options ask for, and returns a sentence for each file that could not be written. */
export type Outputs = (song: Song) => Promise<string[]>;

/** Output names are assigned in the order of `paths`, whichever song is done first, so that they are the same on every run. */
export function createOutputs(options: AnalyzeOptions, paths: readonly string[] = []): Outputs {
  const { outFolder, formats, writeTags, report } = options;
  const nameOf = createNamer();
  paths.forEach(nameOf);
  // With --out alone, results are written; with formats or tags, only those unless --json asks for results as well.
  const wantsJson = outFolder !== null && (options.json || (formats.length === 0 && !writeTags));
  return async (song) => {
    const problems: string[] = [];
    if (report) writeFileSync(report.path, await song.writeReport(report.format));
    if (outFolder === null) return problems;
    mkdirSync(outFolder, { recursive: true });
    const target = join(outFolder, nameOf(song.path));
    const attempt = async (what: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        if (!concernsOneSong(error)) throw error;
        problems.push(`${song.path}: no ${what}: ${error.message}`);
      }
    };
    if (wantsJson)
      await attempt('result', async () =>
        writeFileSync(`${target}.json`, `${JSON.stringify(song.result, null, 2)}\n`),
      );
    for (const format of formats)
      await attempt(format, async () =>
        writeFileSync(`${target}${EXPORTS[format].fileNameEnding}`, await song.writeExport(format)),
      );
    if (writeTags) {
      const tags = songTagsOf(song.result, { genre: options.writeGenre });
      await attempt('tagged copy', () => writeTaggedCopy(song.path, `${target}${extname(song.path)}`, tags));
    }
    return problems;
  };
}

/** Other songs, or other formats of this one, may succeed: a name can be too long with the extension of one format only. */
function concernsOneSong(error: unknown): error is Error {
  if (error instanceof ExportUnavailable || error instanceof TagsUnavailable) return true;
  return error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG';
}

/**
 * Songs in two folders can have the same name. They get different output names, also on file systems that ignore case; the same
 * path always gets the same name.
 */
function createNamer(): (path: string) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return (path) => {
    const known = names.get(path);
    if (known !== undefined) return known;
    const stem = basename(path, extname(path));
    let name = stem;
    for (let copy = 2; taken.has(name.toLowerCase()); copy++) name = `${stem}-${copy}`;
    names.set(path, name);
    taken.add(name.toLowerCase());
    return name;
  };
}
