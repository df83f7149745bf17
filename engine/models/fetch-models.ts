/** The shipped weights where there are no files: in a page, in a worker, in Deno. */

import type { AnalysisModels } from '../src/analyse.ts';

const FILES = { beats: 'beats-v1.bin', chords: 'chords-v2.bin' };

/**
 * Fetches the weights from `folder`, by default the package's own `models`. A bundler moves this code away from them: then serve the
 * two files yourself and say where.
 */
export async function fetchModels(
  folder: string | URL = new URL('../models/', import.meta.url),
): Promise<AnalysisModels> {
  const [beats, chords] = await Promise.all([FILES.beats, FILES.chords].map((name) => fetchFile(name, folder)));
  return { beats: beats!, chords: chords! };
}

async function fetchFile(name: string, folder: string | URL): Promise<Uint8Array> {
  const response = await fetch(new URL(name, folder));
  if (!response.ok) throw new Error(`The weights ${response.url} were answered with ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
