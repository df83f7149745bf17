/** npm run accuracy: writes docs/accuracy.md and its images. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAccuracyPage } from './accuracy-page.ts';
import { RECORDING_REMARKS } from './recording-remarks.ts';

const SCORES_FOLDER = 'evaluation/scores';
const IMAGES_FOLDER = 'docs/images';

const files = readdirSync(SCORES_FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => ({
    name: name.slice(0, -'.json'.length),
    file: JSON.parse(readFileSync(join(SCORES_FOLDER, name), 'utf8')),
  }));
const loudness = JSON.parse(readFileSync('evaluation/loudness-sequences.json', 'utf8'));
const { page, images } = makeAccuracyPage(files, loudness, RECORDING_REMARKS);
writeFileSync('docs/accuracy.md', page);
mkdirSync(IMAGES_FOLDER, { recursive: true });
for (const [name, svg] of images) writeFileSync(join(IMAGES_FOLDER, name), svg);
console.log(`docs/accuracy.md from ${files.length} score files`);
