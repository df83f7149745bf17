/** Fetches the shipped weights where files cannot be read: in a page, in a worker, in Deno. */

import type { AnalysisModels } from '../src/hear-music.ts';
import { MODEL_FILES } from './model-files.ts';

/**
 * Fetches the weights from `folder`, by default the package's own `models`. A bundler moves this code away from that folder: in that case
 * serve the files yourself and pass their folder; in a page, a path such as `/models` is enough.
 */
export async function fetchModels(
  folder: string | URL = new URL('../models/', import.meta.url),
): Promise<AnalysisModels> {
  const base = baseOf(folder);
  const fetchFile = async (name: string): Promise<Uint8Array> => {
    const response = await fetch(new URL(name, base));
    if (!response.ok) {
      throw new Error(
        `${response.url} answered ${response.status}: the folder given to fetchModels does not serve the weights`,
      );
    }
    return new Uint8Array(await response.arrayBuffer());
  };
  const [beats, chords, msd, jamendo, voice] = await Promise.all([
    fetchFile(MODEL_FILES.beats),
    fetchFile(MODEL_FILES.chords),
    fetchFile(MODEL_FILES.tagsMsd),
    fetchFile(MODEL_FILES.tagsJamendo),
    fetchFile(MODEL_FILES.voice),
  ]);
  return { beats, chords, tags: { msd, jamendo }, voice };
}

/** The folder as a URL, resolved against the page if it has no host. Without a final slash, file names would replace its last segment. */
function baseOf(folder: string | URL): URL {
  const address = String(folder).replace(/\/?$/, '/');
  if (URL.canParse(address)) return new URL(address);
  const { location } = globalThis as { location?: { href: string } };
  return new URL(address, location?.href);
}
