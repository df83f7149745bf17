/**
 * Reads the shipped weights for callers of the engine, which itself reads no files.
 *
 * The folder is resolved through the package rather than relative to this file, because a bundler moves this code but not the weights.
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { AnalysisModels } from '../src/hear-music.ts';
import { rememberModelHash } from '../src/learned/model-file.ts';
import { MODEL_FILES } from './model-files.ts';

export function loadModels(): AnalysisModels {
  const engine = dirname(createRequire(import.meta.url).resolve('@earshot/engine/package.json'));
  const read = (name: string): Uint8Array | null => {
    const path = join(engine, 'models', name);
    if (!existsSync(path)) return null;
    const bytes = new Uint8Array(readFileSync(path));
    rememberModelHash(bytes, createHash('sha256').update(bytes).digest('hex'));
    return bytes;
  };
  const msd = read(MODEL_FILES.tagsMsd);
  const jamendo = read(MODEL_FILES.tagsJamendo);
  return {
    beats: read(MODEL_FILES.beats),
    chords: read(MODEL_FILES.chords),
    voice: read(MODEL_FILES.voice),
    tags: msd && jamendo && { msd, jamendo },
  };
}
