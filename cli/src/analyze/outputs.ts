/** What is left in files: results, exports, reports and tagged copies. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { EXPORTS, ExportUnavailable } from '@earshot/exports';
import { songTagsOf, TagsUnavailable } from '../tags/song-tags.ts';
import { writeTaggedCopy } from '../tags/write-tagged-copy.ts';
import type { AnalyzeOptions } from './analyze-options.ts';
import type { Song } from './song.ts';

/** Writes everything that was asked for about one song; a sentence for each thing that could not be. */
export type Outputs = (song: Song) => Promise<string[]>;

/** The songs of `paths` have their names in this order, whichever is done first: the same on every run. */
export function createOutputs(options: AnalyzeOptions, paths: readonly string[] = []): Outputs {
  const { outFolder, formats, writeTags, report } = options;
  const nameOf = createNames();
  paths.forEach(nameOf);
  // A folder alone means results; with formats or tags it means those, and results only when asked for.
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
        if (!isOfTheSong(error)) throw error;
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

/** The others may have it. A name can be too long with the ending of one format alone. */
function isOfTheSong(error: unknown): error is Error {
  if (error instanceof ExportUnavailable || error instanceof TagsUnavailable) return true;
  return error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG';
}

/**
 * Two folders may hold a song of the same name; neither may overwrite the other, also on disks to which "Song" and "song" are one name.
 * The same path keeps its name.
 */
function createNames(): (path: string) => string {
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
