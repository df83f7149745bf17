/**
 * Builds the dashboard into dist/ and analyses the sample song with the command line just built, so that the front page shows a
 * real result of this version. Skips whatever is up to date. Needs the output of `scripts/build.mjs`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesUnder, isUpToDate, readOnce, recordBuild } from '../scripts/up-to-date.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Build records are kept outside dashboard/dist: Vite empties that folder, and the service serves everything in it. */
const RESULT = 'cli/dist/.built/sample-result.json';
const PAGES_RECORD = 'server/dist/.built/pages.json';
const RESULT_RECORD = 'cli/dist/.built/sample.json';

const reading = readOnce();
const SONGS_FOLDER = 'examples/sample-song';
/** Offered by an empty library (src/library/empty-library.tsx); the first is also the sample of the front page. */
const SAMPLES = ['two-doors-down.mp3', 'night-bus.mp3', 'three-lamps.mp3'];
const ANALYSED_SAMPLE = `${SONGS_FOLDER}/${SAMPLES[0]}`;

const isPageSource = (file) =>
  !/^dashboard\/(dist|node_modules)\//.test(file) && !/\.test\.tsx?$|\/src\/test\//.test(file);
const pageSources = ['dashboard', 'sdk/src']
  .flatMap((folder) => filesUnder(folder, isPageSource))
  .concat('package-lock.json', 'scripts/up-to-date.mjs');

async function buildPages() {
  console.error('Building the dashboard');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'dashboard'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await recordBuild(PAGES_RECORD, { sources: pageSources, outputs: ['dashboard/dist/index.html'] }, reading);
}

async function analyseSample() {
  console.error('Analysing the sample song');
  const program = join(root, 'cli/dist/earshot.cjs');
  const result = execFileSync(process.execPath, [program, 'analyze', '--json', join(root, ANALYSED_SAMPLE)]);
  // Fails the build when the output is not JSON.
  JSON.parse(result.toString('utf8'));
  mkdirSync(dirname(join(root, RESULT)), { recursive: true });
  writeFileSync(join(root, RESULT), result);
  await recordBuild(RESULT_RECORD, { sources: resultSources, outputs: [RESULT] }, reading);
}

if (!isUpToDate(PAGES_RECORD, pageSources, reading)) await buildPages();
/** The two records cover every source file of the command line and the decoder. */
const resultSources = [
  ANALYSED_SAMPLE,
  'cli/dist/.built/earshot.json',
  'decode/dist/.built/child.json',
  ...filesUnder('engine/models'),
];
if (!isUpToDate(RESULT_RECORD, resultSources, reading)) await analyseSample();
const folder = join(root, 'dashboard/dist/sample');
mkdirSync(folder, { recursive: true });
copyFileSync(join(root, RESULT), join(folder, 'result.json'));
for (const name of SAMPLES) copyFileSync(join(root, SONGS_FOLDER, name), join(folder, name));
