import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startAnalysisWorker } from '../test/analysis-service.ts';
import { audioForm } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import {
  buildTestApp,
  freshEmail,
  type Registered,
  register,
  signIn,
  type TestApp,
} from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';

/** Promises about answers, tested with the whole app: statuses that older clients know, headers, and messages that say what to do. */

const { db } = await createTestDatabase({ connectionsMax: 20 });
const test = await buildTestApp(
  db,
  {},
  { ALLOWED_ORIGINS: 'https://app.example.com, https://two.example.com' },
);
const systemContextOf = ({ deps }: TestApp) => ({
  ...deps,
  actor: { kind: 'system' } as const,
  requestId: 'test',
  ip: null,
});
const SONG = 'http://127.0.0.1:9/song.wav';
const key = await register(test);
const person = await signIn(test);
const worker = await startAnalysisWorker(systemContextOf(test));
afterAll(() => worker.stop(0));

async function upload(app: TestApp, { headers }: Registered): Promise<string> {
  const body = audioForm(makeWav({ seconds: 2 }));
  return (await app.call('POST', '/v1/analyze/upload', { headers, body })).body.job_id;
}

async function completeOne(owner: Registered): Promise<string> {
  const id = await upload(test, owner);
  await until(
    async () =>
      (await test.call('GET', `/v1/analysis/${id}`, { headers: owner.headers })).body.status === 'completed',
    'the analysis is complete',
  );
  return id;
}

async function submitUrl({ headers }: Registered): Promise<string> {
  return (await test.call('POST', '/v1/analyze/url', { headers, body: { url: SONG } })).body.job_id;
}

async function cancelOne(owner: Registered): Promise<string> {
  const id = await submitUrl(owner);
  const { body } = await test.call('POST', `/v1/analyses/${id}/cancel`, { headers: owner.headers });
  expect(body).toMatchObject({ status: 'canceled', error: { code: 'canceled', retryable: true } });
  return id;
}

async function failOne(owner: Registered): Promise<string> {
  const id = await submitUrl(owner);
  await until(async () => {
    const { body } = await test.call('GET', `/v1/analyses/${id}`, { headers: owner.headers });
    await db.query(`update jobs set run_at = now() where kind = 'analysis.download'`);
    return body.status === 'failed';
  }, 'the job has failed');
  return id;
}

const done = await completeOne(key);

describe('a client that knows only completed and failed', () => {
  it('sees a cancelled job as failed, with a sentence and a code', async () => {
    const id = await cancelOne(key);
    for (const path of [`/v1/analysis/${id}`, `/v1/analysis/${id}/full`]) {
      const { status, body } = await test.call('GET', path, { headers: key.headers });
      expect([status, body]).toMatchObject([
        200,
        { status: 'failed', error: expect.any(String), error_code: 'canceled', retryable: true },
      ]);
    }
  });

  it('reads why a job failed as text', async () => {
    const id = await failOne(key);
    const { body } = await test.call('GET', `/v1/analysis/${id}`, { headers: key.headers });
    expect(body).toMatchObject({ status: 'failed', error_code: 'download_failed', result: null });
    expect(typeof body.error).toBe('string');
  });

  it('gets the month in usage', async () => {
    const usage = await test.call('GET', '/v1/usage', { headers: key.headers });
    expect(usage.body.month).toMatch(/^\d{4}-\d\d$/);
    const own = await test.call('GET', '/v1/usage', { headers: person.headers });
    expect(own.body.month).toBe(usage.body.month);
  });
});

describe('the month by days', () => {
  it('adds up to the credits used, without those returned', async () => {
    const owner = await register(test);
    for (const endOne of [completeOne, cancelOne, failOne]) await endOne(owner);
    const { body } = await test.call('GET', '/v1/usage', {
      headers: { authorization: `Bearer ${owner.key}` },
    });
    const sum = body.days.reduce((total: number, { credits }: { credits: number }) => total + credits, 0);
    // The credits of the cancelled and of the failed job were returned.
    expect([sum, body.local_analysis_credits, body.local_analysis_jobs]).toEqual([1, 1, 3]);
  });
});

describe('headers', () => {
  it('202 has the Location of the job', async () => {
    const own = await test.call('POST', '/v1/analyses', { headers: key.headers, body: { source_url: SONG } });
    expect(own.headers.location).toBe(`/v1/analyses/${own.body.id}`);
    const keyed = await test.call('POST', '/v1/analyze/url', { headers: key.headers, body: { url: SONG } });
    expect(keyed.headers.location).toBe(`/v1/analysis/${keyed.body.job_id}`);
  });

  it('state how much of the rate limit is left', async () => {
    const { headers } = await test.call('GET', '/v1/usage', { headers: key.headers });
    expect(headers['ratelimit-policy']).toMatch(/^"requests";q=\d+;w=60$/);
    expect(headers.ratelimit).toMatch(/^"requests";r=\d+;t=\d+$/);
  });

  it.each(['result', 'exports/jams'])(
    '%s is compressed for clients that accept gzip, and 304 for clients that have it',
    async (what) => {
      const url = `/v1/analyses/${done}/${what}`;
      const plain = await test.app.inject({ method: 'GET', url, headers: key.headers });
      const packed = await test.app.inject({
        method: 'GET',
        url,
        headers: { ...key.headers, 'accept-encoding': 'gzip' },
      });
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(packed.headers.vary).toContain('Accept-Encoding');
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
      expect(packed.headers.etag).toMatch(/^W\/"/);
      const again = await test.app.inject({
        method: 'GET',
        url,
        headers: { ...key.headers, 'if-none-match': String(packed.headers.etag) },
      });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', packed.headers.etag]);
      expect(again.headers).toHaveProperty('x-request-id');
    },
  );
});

describe('CORS', () => {
  const preflight = (origin: string) =>
    test.call('OPTIONS', '/v1/analyses', {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });

  it('allows the configured origins, without cookies', async () => {
    const { status, headers } = await preflight('https://app.example.com');
    expect([status, headers['access-control-allow-origin']]).toEqual([204, 'https://app.example.com']);
    expect(headers['access-control-allow-headers']).toContain('Idempotency-Key');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    const read = await test.call('GET', '/v1/usage', {
      headers: { ...key.headers, origin: 'https://two.example.com' },
    });
    expect(read.headers['access-control-allow-origin']).toBe('https://two.example.com');
    expect(read.headers['access-control-expose-headers']).toContain('X-Request-Id');
    expect(read.headers.vary).toContain('Origin');
  });

  it('sends no CORS headers to other origins', async () => {
    const { headers } = await preflight('https://evil.example.com');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});

describe('messages', () => {
  it('an unknown path says that the path is unknown', async () => {
    const { body } = await test.call('GET', '/v1/analysys', { headers: key.headers });
    expect(body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('no such path') });
  });

  it('a route that keys cannot use says that it needs a session', async () => {
    const { status, body } = await test.call('GET', '/v1/api-keys', { headers: key.headers });
    expect([status, body.code, body.detail]).toEqual([
      403,
      'insufficient_scope',
      expect.stringContaining('session'),
    ]);
    const anonymous = await test.call('GET', '/v1/api-keys', {});
    expect([anonymous.status, anonymous.body.detail]).toEqual([401, expect.stringContaining('session')]);
  });

  it('the fifth wrong sign-in code says that a new one is needed', async () => {
    const start = await test.call('POST', '/v1/auth/email/start', { body: { email: freshEmail() } });
    const guess = () =>
      test.call('POST', '/v1/auth/email/verify', {
        body: {
          challenge_id: start.body.challenge_id,
          code: start.body.dev_code === '000000' ? '111111' : '000000',
        },
      });
    for (let tries = 0; tries < 4; tries += 1) expect((await guess()).body.code).toBe('unauthorized');
    const fifth = await guess();
    expect([fifth.status, fifth.body.code]).toEqual([429, 'too_many_attempts']);
    expect(fifth.body.detail).toContain('new');
  });
});

describe('useless input is refused:', () => {
  it('a key without scopes', async () => {
    const answer = await test.call('POST', '/v1/api-keys', {
      headers: person.headers,
      body: { name: 'nothing', scopes: [] },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'too_short', loc: ['body', 'scopes'] }] },
    });
  });

  it('a second endpoint at the same address', async () => {
    const post = (url: string) =>
      test.call('POST', '/v1/webhook-endpoints', { headers: key.headers, body: { url } });
    const first = await post('http://127.0.0.1:9/hook');
    expect(first.status).toBe(201);
    expect(await post('http://127.0.0.1:9/hook')).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const other = await post('http://127.0.0.1:9/hook?2');
    const moved = await test.call('PATCH', `/v1/webhook-endpoints/${other.body.id}`, {
      headers: key.headers,
      body: { url: 'http://127.0.0.1:9/hook' },
    });
    expect(moved).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});

describe('an invitation', () => {
  async function invite(email: string) {
    const { body } = await test.call('POST', '/v1/account/team/invitations', {
      headers: person.headers,
      body: { email },
    });
    return body.id as string;
  }

  it('can be seen, accepted and declined by the invited person', async () => {
    const guest = await signIn(test);
    const id = await invite(guest.email);
    const seen = await test.call('GET', '/v1/account/invitations', { headers: guest.headers });
    expect(seen.body.invitations).toMatchObject([
      { id, workspace_id: person.workspaceId, status: 'pending' },
    ]);
    const accepted = await test.call('POST', `/v1/account/invitations/${id}/accept`, {
      headers: guest.headers,
    });
    expect([accepted.status, accepted.body]).toMatchObject([200, { status: 'accepted' }]);
    const { body } = await test.call('GET', '/v1/account/workspaces', { headers: guest.headers });
    expect(body.workspaces).toHaveLength(2);

    const other = await signIn(test);
    const second = await invite(other.email);
    const declined = await test.call('POST', `/v1/account/invitations/${second}/decline`, {
      headers: other.headers,
    });
    expect([declined.status, declined.body]).toMatchObject([200, { status: 'declined' }]);
    const team = await test.call('GET', '/v1/account/team', { headers: person.headers });
    const listed = team.body.invitations.find(({ id }: { id: string }) => id === second);
    expect(listed).toMatchObject({ status: 'declined', declined_at: expect.any(String) });
    expect(listed).not.toHaveProperty('revoked_at');
    const late = await test.call('POST', `/v1/account/invitations/${second}/accept`, {
      headers: other.headers,
    });
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('is 404 for anyone else', async () => {
    const [guest, stranger] = [await signIn(test), await signIn(test)];
    const id = await invite(guest.email);
    for (const verb of ['accept', 'decline'])
      expect(
        (await test.call('POST', `/v1/account/invitations/${id}/${verb}`, { headers: stranger.headers }))
          .status,
      ).toBe(404);
  });
});

describe('an address that is not verified', () => {
  it('can still read its billing status', async () => {
    const strict = await buildTestApp(db, {}, { REQUIRE_EMAIL_VERIFICATION: 'true' });
    const unverified = await register(strict);
    const { status, body } = await strict.call('GET', '/v1/billing/status', { headers: unverified.headers });
    expect([status, body]).toMatchObject([200, { email_verified: false, tier: 'free' }]);
    expect((await strict.call('GET', '/v1/usage', { headers: unverified.headers })).status).toBe(403);
  });
});

describe('the audio of a job that failed for good', () => {
  it('is deleted', async () => {
    // A database of its own, which the worker of this file does not see.
    const { db: otherDb } = await createTestDatabase();
    const other = await buildTestApp(otherDb);
    const owner = await register(other);
    const failing = await startAnalysisWorker(systemContextOf(other), {
      run: async () => {
        throw new Error('the engine is out of order');
      },
    });
    onTestFinished(() => failing.stop(0));
    const id = await upload(other, owner);
    await until(async () => {
      await otherDb.query(`update jobs set run_at = now() where kind = 'analysis.run'`);
      const { body } = await other.call('GET', `/v1/analyses/${id}/events`, { headers: owner.headers });
      const types = body.map(({ event_type }: { event_type: string }) => event_type);
      return types.includes('job.failed') && types.includes('source.deleted');
    }, 'the job has failed for good and its audio is gone');
  });
});
