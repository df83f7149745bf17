import { ApiError } from '@earshot/sdk';
import { expect, it, vi } from 'vitest';
import { startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { runListen } from './listen-command.ts';

/** It refuses the address of an endpoint as `refusal` says, and to list jobs once the command has said that it polls. */
let refusal = 'url_not_allowed';
const service = await startTestService(({ method }) => {
  if (method === 'POST')
    return { status: 422, body: { detail: [{ type: refusal, loc: ['body', 'url'], msg: 'No.' }] } };
  return service.printed.length === 0
    ? { body: [] }
    : { status: 401, body: { detail: 'The key is revoked.', code: 'unauthorized' } };
});

async function failureOf(args: string[]): Promise<Error> {
  return runListen(args).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );
}
const calls = () => service.requests.map(({ method, path }) => `${method} ${path}`);

it.each([
  [['--poll', '--secret', 'my-secret'], /^--secret wants/],
  [['--poll', '--secret', ''], /^--secret wants/],
  [['--forward', 'localhost'], /^--forward wants/],
  [['--forward', 'localhost:3000/hooks'], /^--forward wants/],
  [['--port', '65536'], /^--port wants/],
  [['--poll', '--port', '3000'], /^--port and --public-url say/],
  [['--poll', '--public-url', 'https://tunnel.example/'], /^--port and --public-url say/],
  [['--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], /^--secret goes with --poll/],
])('%j is rejected whether or not one is signed in', async (args, sentence) => {
  vi.stubEnv('EARSHOT_API_KEY', '');
  const failure = await failureOf(args);
  expect(failure).toBeInstanceOf(UsageError);
  expect(failure.message).toMatch(sentence);
});

it('names a port that is taken', async () => {
  const failure = await failureOf(['--port', new URL(service.url).port]);
  expect(failure).toBeInstanceOf(UsageError);
  expect(failure.message).toMatch(/^--port cannot be used: .*EADDRINUSE/);
  expect(calls()).toEqual([]);
});

it('polls when the service does not call this address', async () => {
  refusal = 'url_not_allowed';
  expect((await failureOf([])).message).toContain('The key is revoked.');
  expect([...new Set(calls())]).toEqual(['POST /v1/webhook-endpoints', 'GET /v1/analyses']);
  expect(service.errorLines).toEqual([
    `${service.url} does not call private addresses, so this command polls for finished jobs instead.`,
  ]);
  expect(service.printed).toEqual([
    `Asking ${service.url} for finished jobs. Ctrl+C ends it.`,
    expect.stringMatching(/^Signing secret: whsec_/),
  ]);
});

it.each([
  ['url_not_allowed', ['--public-url', 'http://10.0.0.1/']],
  ['url_parsing', []],
])('ends with the refusal %s of an endpoint when given %j', async (type, args) => {
  refusal = type;
  const failure = await failureOf(args);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ status: 422, detail: [{ type }] });
  expect(calls()).toEqual(['POST /v1/webhook-endpoints']);
});

it('accepts a valid secret', async () => {
  vi.stubEnv('EARSHOT_API_KEY', '');
  const listening = runListen(['--poll', '--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
  await expect(listening).rejects.toThrow(/nobody is signed in/);
});
