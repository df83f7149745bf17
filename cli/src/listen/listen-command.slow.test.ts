import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';

const program = fileURLToPath(new URL('../../bin/earshot.mjs', import.meta.url));
const service = await startTestService(({ method }) =>
  method === 'DELETE'
    ? { body: { deleted: true } }
    : { status: 201, body: { id: 'whe_1', signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
);

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('deletes its endpoint at %s', async (signal) => {
  const listening = spawn(process.execPath, [program, 'listen'], {
    env: {
      ...process.env,
      XDG_CONFIG_HOME: tmpdir(),
      EARSHOT_URL: service.url,
      EARSHOT_API_KEY: 'es_live_x',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(listening, 'exit');
  await once(listening.stdout, 'data');
  listening.kill(signal);
  expect(await ended).toEqual([0, null]);
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/webhook-endpoints',
    'DELETE /v1/webhook-endpoints/whe_1',
  ]);
});
