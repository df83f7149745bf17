/** A corpus is a folder of JSON annotations, each of which names its audio file. An optional manifest.json is not an annotation. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Truth } from './score-song.ts';

export type CorpusSong = { id: string; audioPath: string; truth: Truth };

export function readCorpus(folder: string): CorpusSong[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'manifest.json')
    .sort()
    .map((name) => {
      const truth = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Truth;
      return { id: name.slice(0, -'.json'.length), audioPath: join(folder, truth.audio), truth };
    });
}
