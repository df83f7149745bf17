import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { createTestDatabase } from '../database.ts';
import { startServiceProcess } from '../service-process.ts';
import { makeWav } from '../wav.ts';
import { signIn } from './journey-service.ts';

/**
 * Races between two API processes on one database. One round by default; `npm run test:races` runs twenty of each with a hundred
 * concurrent requests.
 */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 1);
const CONCURRENT_REQUESTS = Number(process.env.RACE_PARALLEL ?? 20);
/** A hundred concurrent requests take seconds, on a busy machine many. */
const ROUND_TIMEOUT_MS = 90_000;

const { db, url: databaseUrl } = await createTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-races-'));
const env = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  SECRET_KEY: randomBytes(32).toString('hex'),
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
  REGISTRATIONS_PER_HOUR: '100000',
  REQUESTS_PER_MINUTE: '10000000',
  // Enough connections that requests meet in the database, where the races are, and do not queue for a connection.
  DATABASE_CONNECTIONS_MAX: '20',
  STOP_GRACE_SECONDS: '0',
};
const processes = await Promise.all([startServiceProcess('serve', env), startServiceProcess('serve', env)]);
afterAll(async () => {
  for (const process of processes) process.kill('SIGTERM');
  await Promise.all(processes.map(({ ended }) => ended));
  await rm(dataDir, { recursive: true, force: true });
});

const baseUrlOf = (index: number) => processes[index % 2]!.url;
/** Clients with the same credentials, one for each process. */
const callers = (headers: Record<string, string> = {}) =>
  processes.map(({ url }) => createTestClient(url, headers)) as [TestClient, TestClient];

type Answer = { status: number; body: Record<string, unknown> };

/** Sends `count` concurrent requests, alternating between the clients. */
function atOnce(
  clients: readonly TestClient[],
  send: (client: TestClient, index: number) => Promise<{ status: number; body: unknown }>,
  count = CONCURRENT_REQUESTS,
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { status, body } = await retryOn503(() => send(clients[index % clients.length]!, index));
      return { status, body: body as Record<string, unknown> };
    }),
  );
}

/** Repeats a request while it is answered 503: a busy machine refuses requests that waited too long for a connection. */
async function retryOn503<A extends { status: number }>(send: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}

function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const SONG_URL = 'http://127.0.0.1/song.wav';
const freshEmail = () => `${randomBytes(8).toString('hex')}@earshot.test`;

async function newCustomer() {
  const email = freshEmail();
  const { body } = await callers()[0].post<Record<string, string>>('/v1/auth/register', { email });
  const headers = { 'x-api-key': body.api_key ?? '' };
  return { email, workspaceId: body.workspace_id ?? '', headers, clients: callers(headers) };
}

async function newPerson(email = freshEmail()) {
  const session = await signIn(callers()[0], baseUrlOf(0), email);
  const headers = { authorization: `Bearer ${session.access_token}` };
  return {
    email,
    userId: session.user_id,
    workspaceId: session.workspace_id,
    headers,
    clients: callers(headers),
  };
}

function race(name: string, round: () => Promise<void>): void {
  it(
    name,
    async () => {
      for (let number = 0; number < ROUNDS; number += 1) await round();
    },
    ROUNDS * ROUND_TIMEOUT_MS,
  );
}

const countJobs = async (workspaceId: string) =>
  (await db.query('select 1 from analyses where workspace_id = $1', [workspaceId])).length;

describe('idempotent posts', () => {
  race('one key, one body: one job and one response, also for a later retry', async () => {
    const { workspaceId, headers } = await newCustomer();
    const clients = callers({ ...headers, 'idempotency-key': 'one-and-the-same' });
    const answers = await atOnce(clients, (client) => client.post('/v1/analyses', { source_url: SONG_URL }));
    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body.code).toBe('idempotency_in_progress');
    }
    const again = await clients[1].post<Record<string, unknown>>('/v1/analyses', { source_url: SONG_URL });
    const accepted = [...answers.filter(({ status }) => status === 202), again].map(({ body }) => body);
    const distinct = new Set(accepted.map((body) => JSON.stringify({ ...body, idempotent_replay: null })));
    expect([distinct.size, again.status, again.body.idempotent_replay]).toEqual([1, 202, true]);
    expect(accepted.filter((body) => body.idempotent_replay === false)).toHaveLength(1);
    expect(await countJobs(workspaceId)).toBe(1);
  });

  race('one key, two bodies: one job, and the other body is refused', async () => {
    const { workspaceId, headers } = await newCustomer();
    const clients = callers({ ...headers, 'idempotency-key': 'two-bodies' });
    const urlOf = (index: number) => `${SONG_URL}?body=${Math.floor(index / 2) % 2}`;
    const answers = await atOnce(clients, (client, index) =>
      client.post('/v1/analyze/url', { url: urlOf(index) }),
    );
    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    const accepted = answers.flatMap(({ status, body }, index) =>
      status === 202 ? [`${urlOf(index)} ${body.job_id}`] : [],
    );
    expect([new Set(accepted).size, await countJobs(workspaceId)]).toEqual([1, 1]);
  });
});

describe('credits', () => {
  const GRANTED = 100;
  async function setCredits(workspaceId: string, credits: number): Promise<void> {
    const period = new Date().toISOString().slice(0, 7);
    await db.query(
      'insert into credit_balances (workspace_id, period, granted, used) values ($1, $2, $3, $4)',
      [workspaceId, period, GRANTED, GRANTED - credits],
    );
    for (const [entry, amount] of [
      ['grant', GRANTED],
      ['charge', credits - GRANTED],
    ]) {
      await db.query(
        `insert into credit_ledger (id, workspace_id, period, entry, amount, reason) values ($1, $2, $3, $4, $5, 'test')`,
        [newId('led'), workspaceId, period, entry, amount],
      );
    }
  }
  /** The sum of the ledger, which must equal the balance at every commit. */
  async function balanceOf(workspaceId: string): Promise<number> {
    const { row, ledger } = await db.one<{ row: number; ledger: number }>(
      `select (select sum(granted + overage - used)::int from credit_balances where workspace_id = $1) as row,
         (select sum(amount)::int from credit_ledger where workspace_id = $1) as ledger`,
      [workspaceId],
    );
    expect(row).toBe(ledger);
    return ledger;
  }

  race('as many submissions are accepted as there are credits', async () => {
    // Too few for most of the requests.
    const credits = Math.floor(CONCURRENT_REQUESTS * 0.3);
    const { workspaceId, clients } = await newCustomer();
    await setCredits(workspaceId, credits);
    const answers = await atOnce(clients, (client) => client.post('/v1/analyze/url', { url: SONG_URL }));
    expect(tally(answers)).toEqual({ 202: credits, 402: CONCURRENT_REQUESTS - credits });
    expect([await balanceOf(workspaceId), await countJobs(workspaceId)]).toEqual([0, credits]);
  });

  race('concurrent submissions, cancellations and an upgrade keep ledger and balance equal', async () => {
    const half = Math.floor(CONCURRENT_REQUESTS / 2);
    const { workspaceId, clients } = await newCustomer();
    await setCredits(workspaceId, half);
    const first = await atOnce(clients, (client) => client.post('/v1/analyze/url', { url: SONG_URL }), half);
    const ids = first.map(({ body }) => String(body.job_id));
    const samples: number[] = [];
    const [canceled, submitted] = await Promise.all([
      atOnce(clients, (client, index) => client.post(`/v1/analyses/${ids[index]}/cancel`, undefined), half),
      atOnce(clients, (client) => client.post('/v1/analyze/url', { url: SONG_URL })),
      db.query(`update billing_accounts set plan = 'pro' where workspace_id = $1`, [workspaceId]),
      ...Array.from({ length: 10 }, async () => samples.push(await balanceOf(workspaceId))),
    ]);
    expect(tally(canceled)).toEqual({ 200: half });
    const { 202: accepted = 0, 402: refused = 0, ...others } = tally(submitted);
    expect([others, accepted + refused]).toEqual([{}, CONCURRENT_REQUESTS]);
    expect(samples.filter((sample) => sample < 0)).toEqual([]);
    const { granted } = await db.one<{ granted: number }>(
      'select granted from credit_balances where workspace_id = $1',
      [workspaceId],
    );
    expect(await balanceOf(workspaceId)).toBe(half + (granted - GRANTED) - accepted);
  });
});

describe('a team', () => {
  /** A member of the owner's workspace, with a session in it. */
  async function join(owner: Awaited<ReturnType<typeof newPerson>>, role: string) {
    const email = freshEmail();
    await owner.clients[0].post('/v1/account/team/invitations', { email, role });
    const person = await newPerson(email);
    await person.clients[0].post(`/v1/account/workspaces/${owner.workspaceId}/session`, undefined);
    return person;
  }
  const countOwners = async (workspaceId: string) =>
    (
      await db.query(
        `select 1 from memberships where workspace_id = $1 and role = 'owner' and status = 'active'`,
        [workspaceId],
      )
    ).length;

  race('has one owner at every moment, whatever transfers and removals run concurrently', async () => {
    const owner = await newPerson();
    const [second, third] = [await join(owner, 'admin'), await join(owner, 'admin')];
    const moves: [readonly TestClient[], string, RequestInit][] = [
      [owner.clients, `${second.userId}/transfer-ownership`, { method: 'POST' }],
      [owner.clients, `${third.userId}/transfer-ownership`, { method: 'POST' }],
      [second.clients, second.userId, { method: 'DELETE' }],
      [third.clients, second.userId, { method: 'PATCH', body: '{"role":"viewer"}' }],
      [second.clients, owner.userId, { method: 'DELETE' }],
    ];
    const owners = new Set<number>();
    const statuses: number[] = [];
    const sample = async () => void owners.add(await countOwners(owner.workspaceId));
    await Promise.all(
      Array.from({ length: CONCURRENT_REQUESTS }, async (_, index) => {
        const [clients, path, init] = moves[index % moves.length]!;
        const headers = { 'content-type': 'application/json' };
        const answer = await retryOn503(() =>
          clients[index % 2]!.send(`/v1/account/team/members/${path}`, { ...init, headers }),
        );
        statuses.push(answer.status);
        await sample();
      }),
    );
    expect(statuses.filter((status) => ![200, 401, 403, 404, 409].includes(status))).toEqual([]);
    expect(owners).toEqual(new Set([1]));
  });

  race('gets an invited member once, or not at all when the invitation was revoked first', async () => {
    const owner = await newPerson();
    const email = freshEmail();
    const invited = await owner.clients[0].post<Record<string, string>>('/v1/account/team/invitations', {
      email,
      role: 'viewer',
    });
    const clients = callers();
    const challenge = await clients[0].post<Record<string, string>>('/v1/auth/email/start', { email });
    const { challenge_id, dev_code: code } = challenge.body;
    const [revoked, ...verified] = await Promise.all([
      retryOn503(() =>
        owner.clients[1].send(`/v1/account/team/invitations/${invited.body.id}`, { method: 'DELETE' }),
      ),
      ...Array.from({ length: CONCURRENT_REQUESTS }, (_, index) =>
        retryOn503(() => clients[index % 2]!.post('/v1/auth/email/verify', { challenge_id, code })),
      ),
    ]);
    // At most five tries are checked, and the right code works once.
    expect(verified.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(verified.filter(({ status }) => ![200, 401, 429].includes(status))).toEqual([]);
    const members = await db.query(
      `select m.role from memberships m join users u on u.id = m.user_id where m.workspace_id = $1 and u.email = $2`,
      [owner.workspaceId, email],
    );
    expect([revoked!.status, members]).toEqual(
      revoked!.status === 200 ? [200, []] : [409, [{ role: 'viewer' }]],
    );
  });
});

describe('codes and accounts', () => {
  race('of many wrong codes five are checked, and then even the right one is refused', async () => {
    const clients = callers();
    const { body } = await clients[0].post<Record<string, string>>('/v1/auth/email/start', {
      email: freshEmail(),
    });
    const wrong = body.dev_code === '000000' ? '000001' : '000000';
    const guess = (client: TestClient, code: string | undefined) =>
      client.post('/v1/auth/email/verify', { challenge_id: body.challenge_id, code });
    const answers = await atOnce(clients, (client) => guess(client, wrong));
    // The fifth is checked as well, but already gets 429: a new code is needed.
    expect(tally(answers)).toEqual({ 401: 4, 429: CONCURRENT_REQUESTS - 4 });
    expect((await guess(clients[1], body.dev_code)).status).toBe(429);
  });

  race('one address registers once', async () => {
    const email = freshEmail();
    const answers = await atOnce(callers(), (client) => client.post('/v1/auth/register', { email }));
    expect(tally(answers)).toEqual({ 201: 1, 409: CONCURRENT_REQUESTS - 1 });
  });

  race('a key revoked in one process is refused at once by the other', async () => {
    const person = await newPerson();
    const body = { name: 'k', scopes: ['usage:read'] };
    const key = await person.clients[0].post<Record<string, string>>('/v1/api-keys', body);
    const clients = callers({ 'x-api-key': key.body.plaintext_key ?? '' });
    /** Stands for a request that was sent after the revocation was answered and was accepted; not a real status. */
    const ACCEPTED_TOO_LATE = 599;
    let revokedAtMs = Number.POSITIVE_INFINITY;
    const uses = atOnce(clients, async (client) => {
      const startedMs = performance.now();
      const { status } = await client.get('/v1/usage');
      return { status: status === 200 && startedMs > revokedAtMs ? ACCEPTED_TOO_LATE : status, body: {} };
    });
    const { status } = await person.clients[0].send(`/v1/api-keys/${key.body.id}`, { method: 'DELETE' });
    revokedAtMs = performance.now();
    const later = await atOnce(clients, (client) => client.get('/v1/usage'));
    expect([status, tally(later)]).toEqual([200, { 401: CONCURRENT_REQUESTS }]);
    expect((await uses).filter((answer) => answer.status !== 200 && answer.status !== 401)).toEqual([]);
  });
});

describe('limits', () => {
  race('of keys and endpoints are never exceeded', async () => {
    const person = await newPerson();
    // One fewer than the limits, of a hundred keys and twenty endpoints.
    await db.query(
      `insert into api_keys (id, workspace_id, created_by, name, prefix, key_hash, scopes)
       select 'key_' || $1 || n, $1, $2, 'k', 'p', $1 || n, '{}' from generate_series(1, 99) n`,
      [person.workspaceId, person.userId],
    );
    await db.query(
      `insert into webhook_endpoints (id, workspace_id, url, signing_secret)
       select 'whe_' || $1 || n, $1, 'http://127.0.0.1/', 's' from generate_series(1, 19) n`,
      [person.workspaceId],
    );
    const keys = await atOnce(person.clients, (client) =>
      client.post('/v1/api-keys', { name: 'k', scopes: ['usage:read'] }),
    );
    expect(tally(keys)).toEqual({ 201: 1, 409: CONCURRENT_REQUESTS - 1 });
    const endpoints = await atOnce(person.clients, (client) =>
      client.post('/v1/webhook-endpoints', { url: 'http://127.0.0.1/hook' }),
    );
    expect(tally(endpoints)).toEqual({ 201: 1, 409: CONCURRENT_REQUESTS - 1 });
  });
});

describe('uploads', () => {
  race('one slot stores exactly one of many files, completely', async () => {
    const { clients, headers } = await newCustomer();
    const slot = await clients[0].post<Record<string, string>>('/v1/storage-objects', {
      content_type: 'audio/wav',
    });
    const signed = new URL(slot.body.signed_url ?? '');
    const puts = await Promise.all(
      Array.from({ length: CONCURRENT_REQUESTS }, async (_, index) => {
        const body = new Uint8Array(makeWav({ seconds: 0.2, toneHz: 200 + index }));
        const target = `${baseUrlOf(index)}${signed.pathname}${signed.search}`;
        const response = await fetch(target, {
          method: 'PUT',
          headers: { 'content-type': 'audio/wav' },
          body,
        });
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      }),
    );
    expect(tally(puts)).toEqual({ 200: 1, 409: CONCURRENT_REQUESTS - 1 });
    const [row] = await db.query('select status, sha256 from storage_objects where id = $1', [slot.body.id]);
    expect(row).toEqual({ status: 'stored', sha256: puts.find(({ status }) => status === 200)?.body.sha256 });
    const submitted = await createTestClient(baseUrlOf(1), headers).post('/v1/analyses', {
      storage_object_id: slot.body.id,
    });
    expect(submitted.status).toBe(202);
  });
});
