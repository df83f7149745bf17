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
const songs = join(root, 'examples', 'sample-song');
const song = join(songs, 'two-doors-down.mp3');
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
// Three for an empty library; the first is the one of the front page.
for (const name of ['two-doors-down.mp3', 'night-bus.mp3', 'three-lamps.mp3'])
  copyFileSync(join(songs, name), join(folder, name));
