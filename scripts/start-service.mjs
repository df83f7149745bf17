import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The real service with its own database, in a folder that is gone afterwards. */
export async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-service-'));
  const child = spawn(process.execPath, [join(root, 'server', 'dist', 'earshot.js'), 'all'], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      // A machine that runs tests is late without being asked too much.
      SHED_LOOP_DELAY_MS: '60000',
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
