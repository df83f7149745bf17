import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Includes initialising PostgreSQL on a busy machine. */
const START_MS_MAX = 120_000;

/** Starts the real service with its own database in a temporary folder. `settings` are additional environment variables. */
export async function startService(settings = {}, node = process.execPath) {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-service-'));
  const child = spawn(node, [join(root, 'server', 'dist', 'earshot.js'), 'all'], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      // A machine that runs tests is slow without being overloaded, so nothing is shed.
      SHED_LOOP_DELAY_MS: '60000',
      SHED_POOL_WAIT_MS: '60000',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
      REGISTRATIONS_PER_HOUR: '100',
      STOP_GRACE_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  // Keeps reading to the end, because a full pipe would block the service.
  const lines = createInterface({ input: child.stdout });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS_MAX);
  const url = await new Promise((resolve) => {
    lines.on('line', (line) => {
      const found = /listens on (\S+)/.exec(line)?.[1];
      if (found === undefined) console.error(line);
      else resolve(found);
    });
    lines.once('close', () => resolve(null));
  });
  clearTimeout(timer);
  if (url !== null) return { url, stop };
  await stop();
  throw new Error('The service did not start');
}
