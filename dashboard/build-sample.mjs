/**
 * Lets our own engine hear the sample song and puts what it heard beside the built dashboard, with the song: the first
 * visit shows a real result of this very build. Needs the programs of `scripts/build.mjs`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const song = join(root, 'examples', 'sample-song', 'two-doors-down.mp3');
const folder = join(here, 'dist', 'sample');

mkdirSync(folder, { recursive: true });
const result = execFileSync(
  process.execPath,
  [join(root, 'cli', 'dist', 'earshot.js'), 'analyze', '--json', song],
  {
    maxBuffer: 64 * 1024 * 1024,
  },
);
JSON.parse(result.toString('utf8'));
writeFileSync(join(folder, 'result.json'), result);
copyFileSync(song, join(folder, 'two-doors-down.mp3'));
