/** The shipped weights where there are no files: in a page, in a worker, in Deno. */

import type { AnalysisModels } from '../src/hear-music.ts';

const FILES = [
  'beats-v3.bin',
  'chords-v2.bin',
  'tags-msd-v1.bin',
  'tags-jamendo-v1.bin',
  'voice-v3.bin',
];

/**
 * Fetches the weights from `folder`, by default the package's own `models`. A bundler moves this code away from them: then serve the
 * files yourself and say where.
 */
export async function fetchModels(
  folder: string | URL = new URL('../models/', import.meta.url),
): Promise<AnalysisModels> {
  const [beats, chords, msd, jamendo, voice] = await Promise.all(
    FILES.map((name) => fetchFile(name, folder)),
  );
  return {
    beats: beats!,
    chords: chords!,
    tags: { msd: msd!, jamendo: jamendo! },
    voice: voice!,
  };
}

async function fetchFile(name: string, folder: string | URL): Promise<Uint8Array> {
  const response = await fetch(new URL(name, folder));
  if (!response.ok) throw new Error(`The weights ${response.url} were answered with ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
