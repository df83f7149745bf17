import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { runListen } from './listen-command.ts';

beforeEach(() => {
  vi.stubEnv('XDG_CONFIG_HOME', `${tmpdir()}/nobody-is-signed-in`);
  vi.stubEnv('EARSHOT_API_KEY', '');
});
afterEach(() => vi.unstubAllEnvs());

it.each([
  ['--secret', 'my-secret'],
  ['--secret', ''],
  ['--forward', 'localhost'],
  ['--forward', 'localhost:3000/hooks'],
  ['--port', '65536'],
])('%s %j is rejected whether or not one is signed in', async (option, value) => {
  const failure = await runListen(['--poll', option, value]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as Error).message).toContain(`${option} wants`);
});

it('accepts a valid secret', async () => {
  const listening = runListen(['--poll', '--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
  await expect(listening).rejects.toThrow(/nobody is signed in/);
});
