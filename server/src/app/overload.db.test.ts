import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../platform/postgres.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, register } from '../test/test-app.ts';
import { until } from '../test/until.ts';

const { db: outside, url: databaseUrl } = await createTestDatabase();
const roomy = await buildTestApp(outside);
const CONNECT_TIMEOUT_MS = 5_000;
const db = openDatabase({
  connection: { connectionString: databaseUrl },
  log: roomy.deps.log,
  connectionsMax: 2,
  connectTimeoutMs: CONNECT_TIMEOUT_MS,
});
afterAll(() => db.close());
const POOL_WAIT_MS = 300;
const app = await buildTestApp(db, {}, { SHED_POOL_WAIT_MS: String(POOL_WAIT_MS) });

/** Well below the time after which waiting callers give up, with room for a busy machine. */
const REFUSED_MS_MAX = CONNECT_TIMEOUT_MS / 2;

describe('when every connection to the database is taken', () => {
  test('requests are refused at once, and health and readiness are answered', async () => {
    const person = await register(roomy);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hogs = [1, 2].map(() =>
      db.transaction(async (tx) => {
        await tx.query('select 1');
        await held;
      }),
    );
    // Later requests are refused because these wait too long for a connection.
    const waiting = [1, 2, 3].map(() => app.call('GET', '/v1/usage', { headers: person.headers }));
    await until(() => (db.poolUse().waitingMs ?? 0) > POOL_WAIT_MS, 'a caller has waited long enough');

    const assertRefused = async () => {
      const startedMs = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => app.call('GET', '/v1/usage', { headers: person.headers })),
      );
      expect(performance.now() - startedMs).toBeLessThan(REFUSED_MS_MAX);
      for (const { status, body, headers } of answers) {
        expect([status, body.code]).toEqual([503, 'overloaded']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
    };
    await assertRefused();
    // They time out. The queue is empty now, but still no connection is free.
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503, 503, 503]);
    await assertRefused();
    const [health, ready] = await Promise.all([app.call('GET', '/health'), app.call('GET', '/ready')]);
    expect([health.status, ready.status, ready.body.checks.database]).toEqual([200, 200, 'ok']);
    const shed = await app.deps.metrics.requestsShed.get();
    expect(shed.values).toEqual([
      expect.objectContaining({ labels: { reason: 'database_pool' }, value: 60 }),
    ]);

    release();
    await Promise.all(hogs);
    expect((await app.call('GET', '/v1/usage', { headers: person.headers })).status).toBe(200);
  });
});

describe('open streams and long polls', async () => {
  const app = await buildTestApp(outside, {}, { HELD_ANSWERS_PER_WORKSPACE: '3', HELD_ANSWERS_MAX: '4' });
  const base = await app.app.listen({ host: '127.0.0.1', port: 0 });
  afterAll(() => app.app.server.closeAllConnections());

  async function submit(headers: Record<string, string>): Promise<string> {
    const { body } = await app.call('POST', '/v1/analyses', {
      headers,
      body: { source_url: 'https://audio.example/song.mp3' },
    });
    return body.id;
  }
  const openStream = (id: string, headers: Record<string, string>) =>
    fetch(`${base}/v1/analyses/${id}/events`, { headers: { ...headers, accept: 'text/event-stream' } });

  test('are limited per workspace and per process; a long poll beyond the limit is answered at once', async () => {
    const person = await register(app);
    const id = await submit(person.headers);
    const streams = await Promise.all([1, 2, 3].map(() => openStream(id, person.headers)));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    const fourth = await openStream(id, person.headers);
    expect(fourth.status).toBe(429);
    expect(fourth.headers.get('retry-after')).toBe('5');
    const startedMs = performance.now();
    const poll = await fetch(`${base}/v1/analyses/${id}`, {
      headers: { ...person.headers, prefer: 'wait=30' },
    });
    expect([poll.status, poll.headers.get('preference-applied')]).toEqual([200, null]);
    // It asked for 30 s.
    expect(performance.now() - startedMs).toBeLessThan(10_000);

    const other = await register(app);
    const theirs = await submit(other.headers);
    const last = await openStream(theirs, other.headers);
    expect(last.status).toBe(200);
    const full = await openStream(theirs, other.headers);
    expect([full.status, ((await full.json()) as { code: string }).code]).toEqual([503, 'overloaded']);

    for (const stream of [...streams, last]) await stream.body?.cancel();
    await until(async () => {
      const again = await openStream(id, person.headers);
      await again.body?.cancel();
      return again.status === 200;
    }, 'a closed stream frees its slot');
  });
});
