/**
 * Tests on the newest two supported release lines of Node, in addition to the one that runs everything else:
 *
 *     npm run test:nodes            tests of code close to Node itself, and a service that analyses a song
 *     npm run test:nodes -- fast    the sandbox walls of the decoder, and such a service; part of `npm test`
 *
 * Each Node comes from the npm package `node` and is kept in node_modules/.cache. If it cannot be fetched, the full run fails; the fast run
 * reports it and continues, so that `npm test` works without a registry.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, openAsBlob, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson, register } from '../deploy/requests.mjs';
import { buildAll } from './build.mjs';
import { startService } from './start-service.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const VERSIONS = ['24.21.0', '26.10.0'];
const WALL_TESTS = ['decode/src/walls.slow.test.ts', 'decode/src/escapes.slow.test.ts'];
const UNIT_TESTS = ['decode/src', 'server/src/platform', 'server/src/http', 'sdk/src', 'cli/src'];
const SAMPLE = join(root, 'examples', 'sample-song', 'two-doors-down.mp3');
/** Composed at exactly this tempo (two-doors-down.mjs). */
const SAMPLE_BPM = 112;
/** Enough to tell the tempo from a wrong one; its accuracy is tested elsewhere. */
const BPM_ERROR_MAX = 1;
/** Far longer than the song takes, even on a busy machine. */
const ANALYSIS_MS_MAX = 300_000;

const fast = process.argv.includes('fast');
for (const failure of await buildAll()) throw failure;
for (const version of VERSIONS) {
  const node = fetchNode(version);
  if (node === null) {
    if (!fast) throw new Error(`node@${version} could not be fetched from the registry`);
    console.log(`Node ${version}: not tested, the registry does not respond`);
    continue;
  }
  const startedMs = Date.now();
  runTests(node, fast ? WALL_TESTS : UNIT_TESTS);
  console.log(`Node ${version}: the sample song has ${await analyseSample(node)} BPM`);
  console.log(`Node ${version}: passed, ${Math.round((Date.now() - startedMs) / 1000)} s`);
}

/** The path of the executable; null if it is neither cached nor available. */
function fetchNode(version) {
  const folder = join(root, 'node_modules', '.cache', 'nodes', version);
  const program = join(folder, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    try {
      // The install script of the package downloads the executable.
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `node@${version}`], {
        cwd: folder,
        stdio: 'ignore',
      });
    } catch {
      return null;
    }
  }
  const reported = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
  if (reported !== `v${version}`) throw new Error(`${program} is ${reported}`);
  return program;
}

/** Puts this Node first in PATH, so that programs started by tests use it too. */
function environmentOf(node) {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}

function runTests(node, files) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const options = { cwd: root, stdio: 'inherit', env: environmentOf(node) };
  execFileSync(
    node,
    [vitest, 'run', '--project', 'unit', '--project', 'slow', '--reporter', 'dot', ...files],
    options,
  );
}

/** Has a service on this Node analyse the sample song, and returns its tempo, which must be the one it was composed at. */
async function analyseSample(node) {
  const { url, stop } = await startService({ PATH: environmentOf(node).PATH }, node);
  try {
    const { api_key: key } = await register(url, 'node@example.com');
    const form = new FormData();
    form.append('file', await openAsBlob(SAMPLE), 'song.mp3');
    const headers = { 'X-API-Key': key };
    const upload = await fetch(`${url}/v1/analyze/upload`, { method: 'POST', headers, body: form });
    const { job_id: job } = await readJson(upload);
    const deadlineMs = Date.now() + ANALYSIS_MS_MAX;
    for (;;) {
      const asked = await fetch(`${url}/v1/analysis/${job}`, { headers: { ...headers, Prefer: 'wait=20' } });
      const answer = await readJson(asked);
      if (answer.result) {
        const { bpm } = answer.result;
        if (Math.abs(bpm - SAMPLE_BPM) > BPM_ERROR_MAX)
          throw new Error(`${bpm} BPM instead of ${SAMPLE_BPM}`);
        return bpm;
      }
      if (answer.status === 'failed' || Date.now() > deadlineMs) throw new Error(JSON.stringify(answer));
    }
  } finally {
    await stop();
  }
}
