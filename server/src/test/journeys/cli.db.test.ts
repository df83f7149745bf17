import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { startReceiver } from '../local-server.ts';
import { startJourneyService } from './journey-service.ts';

/** The command line against a started service: sign-in, keys, analyses, webhooks, sign-out. */

const service = await startJourneyService();
const program = fileURLToPath(new URL('../../../../cli/bin/earshot.mjs', import.meta.url));
const song = fileURLToPath(new URL('../../../../examples/sample-song/two-doors-down.mp3', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'earshot-cli-journey-'));
const env = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder };
const running = new Set<ChildProcessWithoutNullStreams>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function earshot(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  try {
    return {
      status: 0,
      ...(await promisify(execFile)(process.execPath, [program, ...args], { env, cwd: folder })),
    };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, stdout, stderr };
  }
}

/** Starts a command that keeps running; `line` waits for the next line that matches. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { env, cwd: folder });
  running.add(child);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async line(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`earshot ${args.join(' ')} ended before it printed ${pattern}`);
        const match = pattern.exec(value);
        if (match) return match;
      }
    },
    async stop(): Promise<unknown> {
      child.kill('SIGTERM');
      const [status] = await ended;
      running.delete(child);
      return status;
    },
  };
}

/** Ten programs, and the analysis of a whole song, on a busy machine. */
const JOURNEY_TIMEOUT_MS = 240_000;

it('signs in, creates keys, analyses, listens and signs out', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const signedOut = await earshot('analyze', '--remote', song);
  expect(signedOut.status).toBe(3);
  expect(signedOut.stderr).toMatch(/nobody is signed in/);

  const login = await earshot('login', '--service', service.url, '--email', 'cli@example.com');
  expect([login.status, login.stderr]).toEqual([0, '']);
  const credentialsPath = join(folder, 'earshot', 'credentials.json');
  expect((await stat(credentialsPath)).mode & 0o777).toBe(0o600);

  const created = await earshot('keys', 'create', 'nightly', '--scopes', 'analyses:read');
  expect(created.stdout).toMatch(/^es_live_\S+\n$/);
  const { stdout: keys } = await earshot('keys');
  const id = /(key_\w+) .* nightly$/m.exec(keys)?.[1];
  expect(keys.trim().split('\n')).toHaveLength(2);
  expect((await earshot('keys', 'revoke', id!)).status).toBe(0);
  expect((await earshot('keys')).stdout).toMatch(/revoked {2}nightly/);

  const receiver = await startReceiver();
  const listener = start('listen', '--forward', `${receiver.url}/hooks`);
  await listener.line(/^Listening for /);
  const [, secret] = await listener.line(/^Signing secret: (whsec_\S+)$/);
  const pollSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const pollArgs = ['--poll', '--secret', pollSecret, '--forward', `${receiver.url}/polled`];
  const poller = start('listen', ...pollArgs);
  await poller.line(/^Signing secret: /);

  const report = join(folder, 'report.html');
  const out = join(folder, 'out');
  const formats = ['--format', 'spotify-audio-analysis', '--out', out];
  const analyzed = await earshot('analyze', '--remote', '--json', ...formats, '--report', report, song);
  expect([analyzed.status, analyzed.stderr]).toEqual([0, '']);
  const result = JSON.parse(analyzed.stdout);
  // The tempo that the song was rendered at, to the nearest BPM; docs/accuracy.md measures how exact it is.
  expect(Math.round(result.bpm)).toBe(112);
  expect(result.key_notation).toBe('G');
  expect(await readFile(report, 'utf8')).toMatch(/^<!doctype html>/);
  // Only the service can export pitches of segments: the printed result has none.
  const exported = JSON.parse(await readFile(join(out, 'two-doors-down.audio-analysis.json'), 'utf8'));
  expect(exported.segments[0].pitches).toHaveLength(12);

  const [, jobId] = await listener.line(/^analysis\.completed (job_\w+) verified, .* answered 200$/);
  expect(receiver.calls.map(({ path }) => path)).toContain('/hooks');
  const forwarded = receiver.calls.find(({ path, body }) => path === '/hooks' && body.includes(jobId!))!;
  new Webhook(secret!).verify(forwarded.body, forwarded.headers as Record<string, string>);
  await poller.line(new RegExp(`^analysis\\.completed ${jobId} verified, .* answered 200$`));
  const polled = receiver.calls.find(({ path }) => path === '/polled')!;
  new Webhook(pollSecret).verify(polled.body, polled.headers as Record<string, string>);
  const [polledEvent, deliveredEvent] = [polled, forwarded].map(({ body }) => JSON.parse(body));
  // The timestamp of the envelope is the time of the delivery.
  expect({ ...polledEvent, timestamp: null }).toEqual({ ...deliveredEvent, timestamp: null });
  expect(await listener.stop()).toBe(0);
  expect(await poller.stop()).toBe(0);

  const key = JSON.parse(await readFile(credentialsPath, 'utf8')).apiKey as string;
  const asKey = { authorization: `Bearer ${key}` };
  // The endpoints were removed when the commands ended.
  expect((await service.client.get<unknown[]>('/v1/webhook-endpoints', asKey)).body).toEqual([]);
  expect((await earshot('logout')).status).toBe(0);
  await expect(stat(credentialsPath)).rejects.toThrow(/ENOENT/);
  expect((await service.client.get('/v1/analyses', asKey)).status).toBe(401);
});

it('exits with 3 and the error of the service, or that it cannot be reached', async () => {
  const refused = await earshot('login', '--service', service.url, '--email', 'not an address');
  expect(refused.status).toBe(3);
  expect(refused.stderr).toMatch(/^earshot: body\.email: .* \(request \S+\)\n$/);
  const nowhere = 'http://127.0.0.1:9';
  const unreachable = await earshot('login', '--service', nowhere, '--email', 'cli@example.com');
  expect([unreachable.status, unreachable.stderr]).toEqual([3, `earshot: No answer from ${nowhere}\n`]);
});
