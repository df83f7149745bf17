/**
 * Everything written in Python: the client against a started service (types, then pytest), and the composer and features of `training/`,
 * which need no GPU. A machine without Python, or that cannot reach its package index, skips this and says why: both are for people
 * who have Python.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';
import { openPython } from './python-environment.mjs';
import { startService } from './start-service.mjs';

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
