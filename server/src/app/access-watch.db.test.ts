import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../platform/postgres.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, register, type SignedIn, signIn } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';
import { eraseDeletedWorkspaces } from '../workspaces/deletion.ts';

/** Revoking a reader's access in one process ends the requests that the reader has open in another. */

const { db, url: databaseUrl } = await createTestDatabase({ connectionsMax: 10 });
const here = await buildTestApp(db);
const otherDb = openDatabase({ connection: { connectionString: databaseUrl }, log: here.deps.log });
afterAll(() => otherDb.close());
const there = await buildTestApp(otherDb);
const base = await here.app.listen({ host: '127.0.0.1', port: 0 });

/** A notification takes milliseconds, and a long poll thirty seconds; this leaves room for a busy machine. */
const REVOKED_MS_MAX = 2_000;
/** A long poll that does not wait is answered sooner than this. */
const HELD_MS = 300;

type Reader = { headers: Record<string, string>; revoke(): Promise<void> };

async function submit(headers: Record<string, string>): Promise<string> {
  const { body, text } = await here.call('POST', '/v1/analyses', {
    headers,
    body: { source_url: 'https://audio.example/song.mp3' },
  });
  expect(body?.id, text).toMatch(/^job_/);
  return body.id;
}

async function join(owner: SignedIn, role: string): Promise<SignedIn> {
  const email = freshEmail(role);
  await there.call('POST', '/v1/account/team/invitations', { headers: owner.headers, body: { email, role } });
  const member = await signIn(there, email);
  const session = `/v1/account/workspaces/${owner.workspaceId}/session`;
  await there.call('POST', session, { headers: member.headers });
  return member;
}

const cases: Record<string, () => Promise<{ owner: SignedIn; reader: Reader }>> = {
  'their key is revoked': async () => {
    const owner = await signIn(there);
    const made = await there.call('POST', '/v1/api-keys', {
      headers: owner.headers,
      body: { name: 'k', scopes: ['analyses:read'] },
    });
    const revoke = async () => {
      await there.call('DELETE', `/v1/api-keys/${made.body.id}`, { headers: owner.headers });
    };
    return { owner, reader: { headers: { 'x-api-key': made.body.plaintext_key }, revoke } };
  },
  'they sign out': async () => {
    const owner = await signIn(there);
    const again = await signIn(there, owner.email);
    const revoke = async () => {
      await there.call('POST', '/v1/auth/logout', { headers: again.headers });
    };
    return { owner, reader: { headers: again.headers, revoke } };
  },
  'they are removed from the team': async () => {
    const owner = await signIn(there);
    const member = await join(owner, 'viewer');
    const revoke = async () => {
      const path = `/v1/account/team/members/${member.userId}`;
      expect((await there.call('DELETE', path, { headers: owner.headers })).status).toBe(200);
    };
    return { owner, reader: { headers: member.headers, revoke } };
  },
  'the workspace is deleted': async () => {
    const owner = await signIn(there);
    const member = await join(owner, 'viewer');
    const revoke = async () => {
      const profile = await there.call('GET', '/v1/account/profile', { headers: owner.headers });
      const confirm = encodeURIComponent(profile.body.workspace_name);
      const path = `/v1/account/workspaces/${owner.workspaceId}?confirm=${confirm}`;
      expect((await there.call('DELETE', path, { headers: owner.headers })).status).toBe(202);
    };
    return { owner, reader: { headers: member.headers, revoke } };
  },
};

describe.each(Object.entries(cases))('when %s', (_name, prepare) => {
  test('a long poll ends with 401 that does not contain the job', async () => {
    const { owner, reader } = await prepare();
    const id = await submit(owner.headers);
    const polling = fetch(`${base}/v1/analyses/${id}`, { headers: { ...reader.headers, prefer: 'wait=30' } });
    expect(await Promise.race([polling, delay(HELD_MS, 'held')])).toBe('held');
    await reader.revoke();
    const revokedMs = performance.now();
    const answer = await polling;
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(id);
    expect(performance.now() - revokedMs).toBeLessThan(REVOKED_MS_MAX);
  });

  test('an event stream ends', async () => {
    const { owner, reader } = await prepare();
    const id = await submit(owner.headers);
    const stream = await fetch(`${base}/v1/analyses/${id}/events`, {
      headers: { ...reader.headers, accept: 'text/event-stream' },
    });
    expect(stream.status).toBe(200);
    const body = stream.body!.getReader();
    await body.read();
    await reader.revoke();
    const revokedMs = performance.now();
    for (;;) if ((await body.read()).done) break;
    expect(performance.now() - revokedMs).toBeLessThan(REVOKED_MS_MAX);
  });
});

test.each(['signs out', 'deletes the workspace'])(
  'an export is aborted, without its end line, when its owner %s meanwhile',
  async (how) => {
    const owner = await signIn(there);
    const job = await submit(owner.headers);
    // More than the buffers of a connection hold, so that the export waits for its reader.
    await db.query(
      `insert into analysis_events (id, analysis_id, event_type, message)
       select 'evt_' || $1 || n, $1, 'analysis.progress', repeat('x', 1000) from generate_series(1, 20000) n`,
      [job],
    );
    const path = `/v1/account/workspaces/${owner.workspaceId}`;
    const reader = (await fetch(`${base}${path}/export`, { headers: owner.headers })).body!.getReader();
    const pieces = [(await reader.read()).value!];
    if (how === 'signs out') await there.call('POST', '/v1/auth/logout', { headers: owner.headers });
    else {
      const profile = await there.call('GET', '/v1/account/profile', { headers: owner.headers });
      const confirm = encodeURIComponent(profile.body.workspace_name);
      await there.call('DELETE', `${path}?confirm=${confirm}`, { headers: owner.headers });
      await eraseDeletedWorkspaces(there.deps);
    }
    const rest = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
    };
    await expect(rest()).rejects.toThrow('terminated');
    expect(Buffer.concat(pieces).toString()).not.toContain('"type":"end"');
  },
);

test('an upload whose key is revoked before its end creates no analysis and leaves no file', async () => {
  const owner = await signIn(there);
  const made = await there.call('POST', '/v1/api-keys', {
    headers: owner.headers,
    body: { name: 'k', scopes: ['analyses:create'] },
  });
  const wav = makeWav({ seconds: 1 });
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
  let send = (_bytes: Uint8Array) => {};
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (bytes) => controller.enqueue(bytes);
      end = () => controller.close();
    },
  });
  const uploading = fetch(`${base}/v1/analyze/upload`, {
    method: 'POST',
    headers: {
      'x-api-key': made.body.plaintext_key,
      'content-type': 'multipart/form-data; boundary=b',
    },
    body,
    duplex: 'half',
  } as RequestInit);
  send(Buffer.concat([Buffer.from(head), wav]));
  const objects = () =>
    db.query('select status from storage_objects where workspace_id = $1', [owner.workspaceId]);
  await until(async () => (await objects()).length === 1, 'the upload is under way');
  await there.call('DELETE', `/v1/api-keys/${made.body.id}`, { headers: owner.headers });
  send(Buffer.from('\r\n--b--\r\n'));
  end();
  expect((await uploading).status).toBe(401);
  expect(await objects()).toEqual([]);
  const analyses = await there.call('GET', '/v1/analyses', { headers: owner.headers });
  expect(analyses.body).toEqual([]);
});

test('a change that does not concern the reader leaves the long poll open', async () => {
  const person = await register(there);
  const id = await submit(person.headers);
  const owner = await signIn(there, person.email);
  const polling = fetch(`${base}/v1/analyses/${id}`, { headers: { ...person.headers, prefer: 'wait=30' } });
  const made = await there.call('POST', '/v1/api-keys', {
    headers: owner.headers,
    body: { name: 'other', scopes: ['usage:read'] },
  });
  await there.call('DELETE', `/v1/api-keys/${made.body.id}`, { headers: owner.headers });
  expect(await Promise.race([polling, delay(HELD_MS, 'held')])).toBe('held');
  await there.call('POST', `/v1/analyses/${id}/cancel`, { headers: person.headers });
  expect(await (await polling).json()).toMatchObject({ status: 'canceled' });
});
