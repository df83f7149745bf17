/**
 * Builds the dashboard into dist/, and lets our own engine hear the sample song, so that the first visit shows a real result of this
 * very build. What is up to date is left alone. Needs the programs of `scripts/build.mjs`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesUnder, isUpToDate, readOnce, recordBuild } from '../scripts/up-to-date.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Records lie with the programs: Vite empties dashboard/dist, and the service serves all that is in it. */
const RESULT = 'cli/dist/.built/sample-result.json';
const PAGES_RECORD = 'server/dist/.built/pages.json';
const RESULT_RECORD = 'cli/dist/.built/sample.json';

const reading = readOnce();
const songs = 'examples/sample-song';
const heard = `${songs}/two-doors-down.mp3`;
/** Three for an empty library; the first is the one of the front page. */
const SHOWN = ['two-doors-down.mp3', 'night-bus.mp3', 'three-lamps.mp3'];

const isOfPages = (file) =>
  !/^dashboard\/(dist|node_modules)\//.test(file) && !/\.test\.tsx?$|\/src\/test\//.test(file);
const pageSources = ['dashboard', 'sdk/src']
  .flatMap((folder) => filesUnder(folder, isOfPages))
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

async function hearSample() {
  console.error('Listening to the sample song');
  const program = join(root, 'cli/dist/earshot.cjs');
  const result = execFileSync(process.execPath, [program, 'analyze', '--json', join(root, heard)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  JSON.parse(result.toString('utf8'));
  mkdirSync(dirname(join(root, RESULT)), { recursive: true });
  writeFileSync(join(root, RESULT), result);
  await recordBuild(RESULT_RECORD, { sources: resultSources, outputs: [RESULT] }, reading);
}

if (!isUpToDate(PAGES_RECORD, pageSources, reading)) await buildPages();
/** The records of both programs name everything that is in them. */
const resultSources = [
  heard,
  'cli/dist/.built/earshot.json',
  'decode/dist/.built/child.json',
  ...filesUnder('engine/models'),
];
if (!isUpToDate(RESULT_RECORD, resultSources, reading)) await hearSample();
const folder = join(root, 'dashboard/dist/sample');
mkdirSync(folder, { recursive: true });
copyFileSync(join(root, RESULT), join(folder, 'result.json'));
for (const name of SHOWN) copyFileSync(join(root, songs, name), join(folder, name));
