/**
 * Finds the shipped weights. The engine itself reads no files; whoever calls it does, with this.
 *
 * The folder is found through the package, not beside this file: a bundle carries this code elsewhere, but the weights stay here.
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { AnalysisModels } from '../src/hear-music.ts';
import { tellModelHash } from '../src/learned/model-file.ts';

export function loadModels(): AnalysisModels {
  const engine = dirname(createRequire(import.meta.url).resolve('@earshot/engine/package.json'));
  const read = (name: string): Uint8Array | null => {
    const path = join(engine, 'models', name);
    if (!existsSync(path)) return null;
    const bytes = new Uint8Array(readFileSync(path));
    tellModelHash(bytes, createHash('sha256').update(bytes).digest('hex'));
    return bytes;
  };
  const msd = read('tags-msd-v1.bin');
  const jamendo = read('tags-jamendo-v1.bin');
  return {
    beats: read('beats-v3.bin'),
    chords: read('chords-v2.bin'),
    voice: read('voice-v3.bin'),
    tags: msd && jamendo && { msd, jamendo },
  };
}
