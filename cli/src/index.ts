/** The package's function: analyses a file with the decoder, engine and result document of the command and the service. */

import type { AnalysisHints, AnalysisModels } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { createLocalAnalyser } from './analyze/analyse-here.ts';
import type { Song } from './analyze/song.ts';

export type { AnalysisHints } from '@earshot/engine';
export { type ExportFormat, ExportUnavailable, type ResultDocument } from '@earshot/exports';
export { type Song, SongFailed } from './analyze/song.ts';

export type AnalyseFileOptions = {
  /** What is already known about the song; each hint narrows the search. */
  hints?: AnalysisHints;
  /** Gets the fraction that is done, 0 to 1. */
  onProgress?: (fraction: number) => void;
};

let models: AnalysisModels | null = null;

/**
 * Analyses one audio file on this machine: nothing is sent anywhere. Rejects with SongFailed when the file cannot be read or is not audio.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { analyseFile } from 'earshot';
 *
 * const song = await analyseFile('song.mp3', { hints: { bpmMin: 90, bpmMax: 180 } });
 * console.log(song.result.bpm, song.result.key_notation);
 * await writeFile('song.jams', await song.writeExport('jams'));
 * ```
 */
export function analyseFile(path: string, options: AnalyseFileOptions = {}): Promise<Song> {
  models ??= loadModels();
  return createLocalAnalyser(options.hints ?? {}, models)(path, options.onProgress ?? (() => {}));
}
