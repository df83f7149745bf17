/**
 * The Python client against a started service: a virtual environment with pinned packages (kept between runs for as long
 * as they stay the same), types, then pytest. A machine without Python 3.9 and venv, or that cannot reach its package index, skips
 * this and says why: the client is for people who have Python.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const client = join(root, 'clients', 'python');
const environment = join(client, '.venv');
const inside = join(environment, process.platform === 'win32' ? 'Scripts' : 'bin');
const INSTALL_TRIES = 3;

const python = findPython();
if (python === null) skip('there is no Python 3.9 or newer with venv and pip here');
if (!makeEnvironment(python)) skip('its packages could not be installed; is the package index reachable?');
for (const failure of await buildAll()) console.error(failure.message);
const service = await startService();
try {
  run('mypy', ['--no-error-summary', '--cache-dir', join(environment, '.mypy_cache')]);
  run('pytest', []);
} finally {
  await service.stop();
}

function skip(reason) {
  console.log(`skipped: the tests of the Python client: ${reason}`);
  process.exit(0);
}

function findPython() {
  const probe = 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 9) else 1)';
  const works = (name) => spawnSync(name, ['-c', probe], { stdio: 'ignore' }).status === 0;
  return ['python3', 'python'].find(works) ?? null;
}

/** True when the environment holds exactly the packages that are asked for now. */
function makeEnvironment(name) {
  const requirements = join(client, 'requirements-test.txt');
  const version = spawnSync(name, ['--version'], { encoding: 'utf8' }).stdout;
  const wanted = createHash('sha256').update(readFileSync(requirements)).update(version).digest('hex');
  const mark = join(environment, 'requirements.sha256');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return true;
  rmSync(environment, { recursive: true, force: true });
  if (spawnSync(name, ['-m', 'venv', environment], { stdio: 'inherit' }).status !== 0) return false;
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements];
  for (let tries = 0; tries < INSTALL_TRIES; tries++) {
    if (spawnSync(join(inside, 'python'), install, { stdio: 'inherit' }).status !== 0) continue;
    writeFileSync(mark, wanted);
    return true;
  }
  return false;
}

/** The real service with its own database, in a folder that is gone afterwards. */
async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-python-'));
  const child = spawn(process.execPath, [join(root, 'server', 'dist', 'earshot.js'), 'all'], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
      REGISTRATIONS_PER_HOUR: '100',
      STOP_GRACE_SECONDS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, stop };
  }
  await stop();
  throw new Error('The service did not start');
}

function run(module, args) {
  const { status } = spawnSync(join(inside, 'python'), ['-m', module, ...args], {
    cwd: client,
    stdio: 'inherit',
    env: { ...process.env, EARSHOT_URL: service.url, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (status !== 0) process.exitCode = 1;
}
