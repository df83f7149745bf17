import { expect, test } from 'vitest';
import { findQueuedMail } from '../mail/outbox.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { createTestDatabase } from '../test/database.ts';
import { collectMail } from '../test/dependencies.ts';
import { buildTestApp, freshEmail, register, type SignedIn, type TestApp } from '../test/test-app.ts';
import { closeUnclaimedWorkspaces } from './set-aside.ts';

/** A workspace that was registered before the first proof of its address becomes the owner's only when they claim it (docs/adr/0009). */

const { db } = await createTestDatabase({ connectionsMax: 20 });
/** As docs/adr/0009 decides. */
const CLAIM_MS = 30 * DAY_MS;
let nowMs = Date.parse('2026-03-01T12:00:00Z');
const clock = () => new Date(nowMs);
const mailing = await buildTestApp(db, { clock, mailer: collectMail() });
const strict = await buildTestApp(
  db,
  { clock, mailer: collectMail() },
  { REQUIRE_EMAIL_VERIFICATION: 'true' },
);

/** The queued mails to an address, newest first. */
async function mailTo(email: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from mail_outbox where recipient = $1 order by id desc',
    [email],
  );
  const mails = await Promise.all(rows.map(({ id }) => findQueuedMail(db, mailing.deps, id)));
  return mails.map((mail) => `${mail?.subject}\n${mail?.bodyText}`);
}

/** Signs in with the mailed code, as only the owner of the mailbox can. */
async function proveByCode(app: TestApp, email: string): Promise<SignedIn & { setAside: unknown }> {
  const { body: challenge } = await app.call('POST', '/v1/auth/email/start', { body: { email } });
  expect(challenge.dev_code).toBeNull();
  const code = /\b\d{6}\b/.exec((await mailTo(email))[0] ?? '')?.[0];
  const { status, body } = await app.call('POST', '/v1/auth/email/verify', {
    body: { challenge_id: challenge.challenge_id, code },
  });
  expect(status).toBe(200);
  const { user_id: userId, workspace_id: workspaceId, access_token: token, set_aside: setAside } = body;
  return { email, userId, workspaceId, token, headers: { authorization: `Bearer ${token}` }, setAside };
}

async function proveByMailedToken(app: TestApp, email: string): Promise<void> {
  const token = /token=([\w-]+)/.exec(
    (await mailTo(email)).find((mail) => mail.includes('token=')) ?? '',
  )?.[1];
  expect((await app.call('POST', '/v1/auth/verify-email', { body: { token } })).status).toBe(200);
}

/** Creates one of each resource that a registration key can create. */
async function createResources(app: TestApp, headers: Record<string, string>) {
  const post = async (url: string, body: unknown, status: number) => {
    const answer = await app.call('POST', url, { headers, body });
    expect(answer.status, answer.text).toBe(status);
    return answer.body;
  };
  const endpoint = await post('/v1/webhook-endpoints', { url: 'https://stranger.example/hook' }, 201);
  const slot = await post('/v1/storage-objects', { content_type: 'audio/wav', purpose: 'upload' }, 201);
  const analysis = await post('/v1/analyze/url', { url: 'https://stranger.example/song.mp3' }, 202);
  return { endpoint, slot, analysis };
}

test('the first sign-in by code gives an empty workspace; key, shares and name of the registrant end', async () => {
  const email = freshEmail('boss');
  const stranger = await register(mailing, email);
  const resources = await createResources(mailing, stranger.headers);
  await db.query(`update users set name = 'Stranger' where id = $1`, [stranger.userId]);
  await db.query(
    `insert into analysis_shares (id, analysis_id, workspace_id, token_hash, created_by, created_at)
     values ('shr_stranger', $1, $2, 'h', $3, now())`,
    [resources.analysis.job_id, stranger.workspaceId, stranger.userId],
  );

  const owner = await proveByCode(mailing, email);
  expect(owner.userId).toBe(stranger.userId);
  expect(owner.workspaceId).not.toBe(stranger.workspaceId);

  for (const [method, url] of [
    ['GET', '/v1/usage'],
    ['GET', '/v1/analyses'],
    ['GET', '/v1/webhook-endpoints'],
    ['GET', `/v1/analysis/${resources.analysis.job_id}`],
  ] as const) {
    expect((await mailing.call(method, url, { headers: stranger.headers })).status, url).toBe(401);
  }
  for (const url of ['/v1/analyses', '/v1/webhook-endpoints', '/v1/api-keys', '/v1/webhook-deliveries']) {
    expect((await mailing.call('GET', url, { headers: owner.headers })).body, url).toEqual([]);
  }
  const job = await mailing.call('GET', `/v1/analyses/${resources.analysis.job_id}`, {
    headers: owner.headers,
  });
  expect(job.status).toBe(404);
  const submitted = await mailing.call('POST', '/v1/account/analyses', {
    headers: owner.headers,
    body: { storage_object_id: resources.slot.id },
  });
  expect(submitted.status).toBe(404);
  const usage = await mailing.call('GET', '/v1/usage', { headers: owner.headers });
  expect(usage.body).toMatchObject({ local_analysis_jobs: 0, local_analysis_credits: 0 });
  const { body: listed } = await mailing.call('GET', '/v1/account/workspaces', { headers: owner.headers });
  expect(listed.workspaces).toHaveLength(1);
  const profile = await mailing.call('GET', '/v1/account/profile', { headers: owner.headers });
  expect(profile.body.name).toBeNull();
  const share = await db.one(`select revoked_at from analysis_shares where id = 'shr_stranger'`);
  expect(share).toEqual({ revoked_at: clock() });
});

test('the same holds where verification is required, and the mailed verification token becomes invalid', async () => {
  const email = freshEmail('boss');
  const stranger = await register(strict, email);
  const mail = (await mailTo(email))[0] ?? '';
  const owner = await proveByCode(strict, email);
  expect(owner.workspaceId).not.toBe(stranger.workspaceId);
  expect((await strict.call('GET', '/v1/usage', { headers: stranger.headers })).status).toBe(401);
  const token = /token=([\w-]+)/.exec(mail)?.[1];
  expect((await strict.call('POST', '/v1/auth/verify-email', { body: { token } })).status).toBe(410);
});

test('the owner is notified in the response, by mail and in the audit log', async () => {
  const email = freshEmail('boss');
  const stranger = await register(mailing, email);
  await createResources(mailing, stranger.headers);
  const owner = await proveByCode(mailing, email);
  expect(owner.setAside).toEqual({
    workspace_id: stranger.workspaceId,
    registered_at: new Date(nowMs).toISOString(),
    api_keys: 1,
    webhook_endpoints: 1,
    analyses: 1,
    erased_at: new Date(nowMs + CLAIM_MS).toISOString(),
  });
  const mail = (await mailTo(email))[0] ?? '';
  expect(mail).toContain('registered with your address before you');
  expect(mail).toContain(stranger.workspaceId);
  const audit = await mailing.call('GET', '/v1/audit-events', { headers: owner.headers });
  expect(audit.body).toContainEqual(
    expect.objectContaining({ action: 'workspace.set_aside', target_id: stranger.workspaceId }),
  );
});

test('a second sign-in sets nothing aside', async () => {
  const email = freshEmail('boss');
  await register(mailing, email);
  const first = await proveByCode(mailing, email);
  const second = await proveByCode(mailing, email);
  expect(second).toMatchObject({ workspaceId: first.workspaceId, setAside: null });
});

test('a registrant who verifies the address with the mailed token keeps their workspace and key', async () => {
  const email = freshEmail('ada');
  const person = await register(strict, email);
  await proveByMailedToken(strict, email);
  expect((await strict.call('GET', '/v1/usage', { headers: person.headers })).status).toBe(200);
  const session = await proveByCode(strict, email);
  expect(session).toMatchObject({
    userId: person.userId,
    workspaceId: person.workspaceId,
    setAside: null,
  });
  expect((await strict.call('GET', '/v1/usage', { headers: person.headers })).status).toBe(200);
});

test('only the owner can claim the workspace, and only once', async () => {
  const email = freshEmail('ada');
  const person = await register(mailing, email);
  const { analysis } = await createResources(mailing, person.headers);
  const owner = await proveByCode(mailing, email);
  const other = await proveByCode(mailing, freshEmail('eve'));
  const claim = `/v1/account/workspaces/${person.workspaceId}/claim`;
  expect((await mailing.call('POST', claim, { headers: other.headers })).status).toBe(404);

  const claimed = await mailing.call('POST', claim, { headers: owner.headers });
  expect([claimed.status, claimed.body.workspace_id]).toEqual([200, person.workspaceId]);
  const job = await mailing.call('GET', `/v1/analyses/${analysis.job_id}`, { headers: owner.headers });
  expect(job.status).toBe(200);
  expect((await mailing.call('GET', '/v1/usage', { headers: person.headers })).status).toBe(200);
  expect((await mailing.call('POST', claim, { headers: owner.headers })).status).toBe(404);
});

test('an unclaimed workspace is closed after thirty days, and cannot be claimed then', async () => {
  const email = freshEmail('boss');
  const stranger = await register(mailing, email);
  await proveByCode(mailing, email);
  nowMs += CLAIM_MS - 1;
  await closeUnclaimedWorkspaces(mailing.deps);
  const deletedAt = async () =>
    (
      await db.one<{ deleted_at: Date | null }>('select deleted_at from workspaces where id = $1', [
        stranger.workspaceId,
      ])
    ).deleted_at;
  expect(await deletedAt()).toBeNull();
  nowMs += 1;
  await closeUnclaimedWorkspaces(mailing.deps);
  expect(await deletedAt()).toEqual(clock());
  // The earlier session has expired by now.
  const owner = await proveByCode(mailing, email);
  const claim = `/v1/account/workspaces/${stranger.workspaceId}/claim`;
  expect((await mailing.call('POST', claim, { headers: owner.headers })).status).toBe(404);
});

test('a local service, where the response contains the code, sets nothing aside', async () => {
  const local = await buildTestApp(db, { clock });
  const email = freshEmail('me');
  const person = await register(local, email);
  const { body: challenge } = await local.call('POST', '/v1/auth/email/start', { body: { email } });
  const { body } = await local.call('POST', '/v1/auth/email/verify', {
    body: { challenge_id: challenge.challenge_id, code: challenge.dev_code },
  });
  expect(body).toMatchObject({ user_id: person.userId, workspace_id: person.workspaceId, set_aside: null });
  expect((await local.call('GET', '/v1/usage', { headers: person.headers })).status).toBe(200);
});
