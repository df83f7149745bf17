import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type Service = { url: string; stop(): Promise<void> };

/** A busy machine takes a while to create the database; without a limit, a failed start would hang without a reason. */
const START_MS_MAX = 180_000;
const PROGRAM = fileURLToPath(new URL('../../../server/dist/earshot.js', import.meta.url));

/** Starts the service as `npm start` does, with its own database and a free port. Its limits are raised, because the tests are many clients on one machine. */
export async function startService(): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-browser-'));
  const child = spawn(process.execPath, [PROGRAM, 'all'], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      // Never sheds load: the event loop of a machine that runs tests is often late.
      SHED_LOOP_DELAY_MS: '60000',
      LOG_LEVEL: 'error',
      STOP_GRACE_SECONDS: '0',
      ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
      REQUESTS_PER_MINUTE: '1000000',
      REGISTRATIONS_PER_HOUR: '1000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    const timeout = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The service did not listen within ${START_MS_MAX} ms`));
    }, START_MS_MAX);
    lines.on('line', (line) => {
      const found = /listens on (\S+)/.exec(line)?.[1];
      if (!found) return;
      clearTimeout(timeout);
      resolve(found);
    });
    child.once('close', (code) => {
      clearTimeout(timeout);
      reject(new Error(`The service ended with ${code} before it listened`));
    });
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
