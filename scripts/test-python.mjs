/**
 * Tests in Python: the client against a running service (types, then pytest), a client generated from the OpenAPI document (types, then its
 * journey), and the parts of `training/` that need no PyTorch. Skipped, with the reason, without Python or a package index.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll } from './build.mjs';
import { CLIENT_MINOR_VERSION_MIN, openPython } from './python-environment.mjs';
import { startService } from './start-service.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
for (const failure of await buildAll()) console.error(failure.message);
/** Of Python 3: what the pinned openapi-python-client needs. */
const GENERATOR_MINOR_VERSION_MIN = 11;
/** As in training/pyproject.toml. */
const TRAINING_MINOR_VERSION_MIN = 11;

const service = await startService();
try {
  const outcomes = [await testClient(), await testGeneratedClient(), await testTraining()];
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
} finally {
  await service.stop();
}

async function testClient() {
  const python = openPython(join(root, 'clients', 'python'), CLIENT_MINOR_VERSION_MIN);
  if (python.missing) return skip('client', python.missing);
  const typed = await python.run('mypy', [
    '--no-error-summary',
    '--cache-dir',
    join(python.environment, '.mypy_cache'),
  ]);
  return (await python.run('pytest', [], { EARSHOT_URL: service.url })) && typed;
}

async function testGeneratedClient() {
  const folder = join(root, 'clients', 'generated');
  const python = openPython(folder, GENERATOR_MINOR_VERSION_MIN);
  if (python.missing) return skip('generated client', python.missing);
  const made = mkdtempSync(join(tmpdir(), 'earshot-generated-'));
  const client = join(made, 'earshot_generated');
  const document = join(root, 'contract', 'openapi.json');
  const cache = join(python.environment, '.mypy_cache');
  const song = join(root, 'decode', 'fixtures', 'vorbis.ogg');
  try {
    cpSync(join(folder, 'walk.py'), join(made, 'walk.py'));
    const make = ['generate', '--path', document, '--output-path', client, '--meta', 'none', '--overwrite'];
    return (
      (await python.run('openapi_python_client', make)) &&
      (await python.run('mypy', ['--strict', '--cache-dir', cache, client, join(made, 'walk.py')])) &&
      (await python.run('walk', [service.url, song], { PYTHONPATH: made }))
    );
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

function testTraining() {
  const python = openPython(join(root, 'training'), TRAINING_MINOR_VERSION_MIN);
  return python.missing ? skip('training', python.missing) : python.run('pytest', ['-q']);
}

function skip(what, reason) {
  console.log(`skipped: the Python tests of the ${what}: ${reason}`);
  return true;
}
