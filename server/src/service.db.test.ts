import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { lockFile } from './platform/file-lock.ts';
import { startProgram } from './test/child-process.ts';
import { audioForm } from './test/client.ts';
import { createTestDatabase } from './test/database.ts';
import {
  type ServiceProcess,
  startServiceProcess,
  startWorkerProcess,
  type WorkerProcess,
} from './test/service-process.ts';
import { until } from './test/until.ts';
import { makeWav } from './test/wav.ts';

/** The program as seen by a person or a supervisor: roles, messages, signals. */
const { url: databaseUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-service-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const running: WorkerProcess[] = [];
afterEach(async () => {
  for (const service of running) service.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  running.length = 0;
});

async function start(role: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess(role, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...env });
  running.push(service);
  return service;
}

async function startWorker(env: Record<string, string>): Promise<WorkerProcess> {
  const worker = await startWorkerProcess(env);
  running.push(worker);
  return worker;
}

const status = async (url: string) => (await fetch(url)).status;

describe('start', () => {
  it('prints its URL and what to do next, and is ready', async () => {
    const service = await start('all');
    expect(service.banner.join('\n')).toMatch(/^Earshot \S+ listens on http:\/\/localhost:\d+/);
    expect(await service.nextLine()).toContain('/docs');
    expect(await service.nextLine()).toContain('Next');
    expect(await service.nextLine()).toContain(`curl -s ${service.url}/v1/auth/register`);
    expect(await status(`${service.url}/ready`)).toBe(200);
  });

  it('names a port that is in use, also that of the metrics', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(start('serve', { PORT: String(port) })).rejects.toThrow(`Port ${port} is in use`);
    await expect(start('serve', { METRICS_PORT: String(port) })).rejects.toThrow(
      `METRICS_PORT ${port} on METRICS_HOST 127.0.0.1 cannot be used: EADDRINUSE.`,
    );
    other.close();
  });

  it.each([
    [{ PORT: 'x' }, 'PORT is "x"'],
    [{ HOST: '203.0.113.1' }, 'HOST is 203.0.113.1, which is no address of this machine'],
  ])('refuses %o with a message and no stack', async (env, sentence) => {
    const failure = await start('serve', env as Record<string, string>).catch(
      (error: Error) => error.message,
    );
    expect(failure).toContain(sentence);
    expect(failure).not.toMatch(/\n\s+at /);
  });

  it('refuses an unknown role, and explains the known ones', async () => {
    await expect(start('dance')).rejects.toThrow(/There is no role "dance"/);
    const help = startProgram('earshot.js', ['--help']);
    expect(await help.nextLine()).toContain('all | serve | work | migrate | reseal');
    expect(await help.ended).toBe(0);
  });

  it('as `migrate` brings the database up to date and ends', async () => {
    const migrate = startProgram('earshot.js', ['migrate'], {
      env: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    });
    expect(await migrate.nextLine()).toBe('The database is up to date.');
    expect(await migrate.ended).toBe(0);
  });

  it('as `reseal` counts the webhook secrets, and says what still needs the old key', async () => {
    const reseal = startProgram('earshot.js', ['reseal'], {
      env: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    });
    expect(await reseal.nextLine()).toBe(
      'Resealed: 0. SECRET_KEY alone now reads webhook secrets; stored answers and queued mail need SECRET_KEY_SECOND for 24 hours more.',
    );
    expect(await reseal.ended).toBe(0);
  });
});

describe('before it starts, the program', () => {
  /** The setting that each line of the log begins with. */
  async function listWarnings(env: Record<string, string>): Promise<string[]> {
    const { banner } = await start('serve', { LOG_LEVEL: 'warn', ...env });
    return banner.slice(0, -1).map((line) => /^\w+/.exec(JSON.parse(line).msg)?.[0] ?? line);
  }

  it('warns of settings that are unsafe where others can reach it', async () => {
    expect(await listWarnings({})).toEqual([]);
    expect(await listWarnings({ HOST: '0.0.0.0' })).toEqual(['SMTP_URL']);
    const open = {
      ALLOW_DEV_CODES: 'true',
      ALLOW_SANDBOX_PAYMENTS: 'true',
      ALLOW_PRIVATE_TARGETS: '10.0.0.0/8',
    };
    expect(await listWarnings({ HOST: '0.0.0.0', ...open })).toEqual(Object.keys(open));
  });

  it('waits for a database that cannot be reached yet', async () => {
    const { username, password, pathname, searchParams } = new URL(databaseUrl);
    const socketPath = join(searchParams.get('host') ?? '', '.s.PGSQL.5432');
    const database = createServer((client) => client.pipe(connect(socketPath)).pipe(client));
    database.listen(0, '127.0.0.1');
    await once(database, 'listening');
    const { port } = database.address() as AddressInfo;
    await new Promise((resolve) => database.close(resolve));
    const migrate = startProgram('earshot.js', ['migrate'], {
      env: {
        DATABASE_URL: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
        DATA_DIR: dataDir,
      },
    });
    expect(JSON.parse(await migrate.nextLine())).toMatchObject({ msg: 'Waiting for the database' });
    database.listen(port, '127.0.0.1');
    await until(async () => (await migrate.nextLine()) === 'The database is up to date.', 'it is reached');
    expect(await migrate.ended).toBe(0);
    database.close();
  });
});

describe('SIGTERM', () => {
  /** A connection with a request whose body of two bytes has not arrived yet. */
  async function openRequest({ url }: ServiceProcess): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      'POST /v1/auth/register HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n',
    );
    return socket;
  }

  const untilStopping = ({ url }: ServiceProcess) =>
    until(
      () =>
        status(`${url}/health`).then(
          () => false,
          () => true,
        ),
      'no new connection is accepted',
    );

  it('accepts no more connections, finishes the request in flight, and exits with 0', async () => {
    const service = await start('all');
    const socket = await openRequest(service);
    socket.setEncoding('utf8');
    let answer = '';
    socket.on('data', (text: string) => {
      answer += text;
    });
    expect(await status(`${service.url}/ready`)).toBe(200);
    service.kill('SIGTERM');
    await untilStopping(service);
    socket.write('{}');
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1.1 422/);
    expect(await service.ended).toBe(0);
  });

  it('ends streams and long polls, which would otherwise last for the whole grace', async () => {
    const service = await start('serve', { STOP_GRACE_SECONDS: '60' });
    const registered = await fetch(`${service.url}/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'streams@example.com' }),
    });
    const { api_key: apiKey } = (await registered.json()) as { api_key: string };
    const headers = { 'x-api-key': apiKey };
    const body = audioForm(makeWav({ seconds: 1 }));
    const accepted = await fetch(`${service.url}/v1/analyze/upload`, { method: 'POST', body, headers });
    const { job_id: id } = (await accepted.json()) as { job_id: string };

    const events = `${service.url}/v1/analyses/${id}/events`;
    const stream = await fetch(events, { headers: { ...headers, accept: 'text/event-stream' } });
    const held = fetch(`${service.url}/v1/analysis/${id}`, { headers: { ...headers, prefer: 'wait=30' } });
    expect(stream.status).toBe(200);
    const stoppedAtMs = performance.now();
    service.kill('SIGTERM');
    expect(await stream.text()).toContain('job.queued');
    expect((await held).status).toBe(202);
    expect(await service.ended).toBe(0);
    // Far below the grace of 60 s, and more than a busy machine needs to close a few connections.
    expect(performance.now() - stoppedAtMs).toBeLessThan(25_000);
  });

  it('ends the process even when the exit of Node hangs', async () => {
    const stuck = join(dataDir, 'stuck.cjs');
    await writeFile(stuck, 'process.reallyExit = () => { for (;;); };');
    const service = await start('all', { NODE_OPTIONS: `--require=${stuck}` });
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('sent twice ends the process at once', async () => {
    const service = await start('serve', { STOP_GRACE_SECONDS: '60' });
    const socket = await openRequest(service);
    socket.on('error', () => {});
    expect(await status(`${service.url}/ready`)).toBe(200);
    service.kill('SIGTERM');
    await untilStopping(service);
    service.kill('SIGTERM');
    expect(await service.ended).toBe('SIGTERM');
    socket.destroy();
  });
});

describe('a killed database', () => {
  it('is restarted by a running service, which answers with nothing but 200 and 503 meanwhile', async () => {
    const ownDir = await mkdtemp(join(tmpdir(), 'earshot-killed-'));
    const service = await start('all', { DATA_DIR: ownDir, DATABASE_URL: '' });
    const pidFile = join(ownDir, 'postgres', 'data', 'cluster', 'postmaster.pid');
    const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
    process.kill(pid, 'SIGKILL');
    const seen = new Set<number>();
    await until(async () => {
      seen.add(await status(`${service.url}/ready`));
      const now = await readFile(pidFile, 'utf8').then(
        (text) => Number.parseInt(text, 10),
        () => null,
      );
      return now !== null && now !== pid && (await status(`${service.url}/ready`)) === 200;
    }, 'the service is ready again');
    expect(new Set([...seen, 200, 503])).toEqual(new Set([200, 503]));
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await rm(ownDir, { recursive: true, force: true });
  });
});

describe('one data directory', () => {
  it('is shared by the processes of an API and a worker, the last of which shuts the database down', async () => {
    const shared = await mkdtemp(join(tmpdir(), 'earshot-shared-'));
    const env = { DATA_DIR: shared, DATABASE_URL: '' };
    const [api, worker] = await Promise.all([start('serve', env), startWorker(env)]);
    api.kill('SIGTERM');
    expect(await api.ended).toBe(0);
    const again = await start('serve', env);
    expect(await status(`${again.url}/ready`)).toBe(200);
    worker.kill('SIGTERM');
    again.kill('SIGTERM');
    expect([await worker.ended, await again.ended]).toEqual([0, 0]);
    const lock = await lockFile(join(shared, 'postgres', 'server.lock'), 'exclusive', 0);
    expect(lock).not.toBeNull();
    lock?.release();
    expect(await readFile(join(shared, 'postgres', 'postgres.log'), 'utf8')).toMatch(
      /database system is shut down\s*$/,
    );
    await rm(shared, { recursive: true, force: true });
  });
});
