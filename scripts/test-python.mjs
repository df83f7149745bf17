/**
 * Everything written in Python: the client against a started service (types, then pytest), and the composer and features of `training/`,
 * which need no GPU. A machine without Python, or that cannot reach its package index, skips this and says why: both are for people
 * who have Python.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';
import { openPython } from './python-environment.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const outcomes = [await testClient(), testTraining()];
process.exitCode = outcomes.every(Boolean) ? 0 : 1;

async function testClient() {
  const python = openPython(join(root, 'clients', 'python'), 9);
  if (python.missing) return skip('client', python.missing);
  for (const failure of await buildAll()) console.error(failure.message);
  const service = await startService();
  try {
    const typed = python.run('mypy', [
      '--no-error-summary',
      '--cache-dir',
      join(python.environment, '.mypy_cache'),
    ]);
    return python.run('pytest', [], { EARSHOT_URL: service.url }) && typed;
  } finally {
    await service.stop();
  }
}

function testTraining() {
  const python = openPython(join(root, 'training'), 11);
  return python.missing ? skip('training', python.missing) : python.run('pytest', ['-q']);
}

function skip(what, reason) {
  console.log(`skipped: the Python tests of the ${what}: ${reason}`);
  return true;
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
