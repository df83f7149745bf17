import { allOperations, errorCodesOf } from '@earshot/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DiskSpace } from '../platform/disk-space.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, register, signIn } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';
import { readStorageUse, reserveBytes } from './quota.ts';
import { sumHeldBytes } from './store.ts';

const { db } = await createTestDatabase({ connectionsMax: 20 });
let room: DiskSpace | null = null;
const app = await buildTestApp(db, { diskSpace: async () => room });
let base = '';
beforeAll(async () => {
  base = await app.app.listen({ host: '127.0.0.1', port: 0 });
  app.deps.config.baseUrl = base;
});
afterAll(() => app.app.server.closeAllConnections());

/** Of the free plan. */
const LIMIT_BYTES = 500_000_000;

type Person = Awaited<ReturnType<typeof register>>;

async function openSlot(person: { headers: Record<string, string> }) {
  return app.call('POST', '/v1/storage-objects', {
    headers: person.headers,
    body: { content_type: 'audio/wav', purpose: 'upload' },
  });
}

/** Makes the workspace's storage use grow by `byteSize` without an upload. */
async function occupy(person: { headers: Record<string, string> }, byteSize: number): Promise<string> {
  const { body } = await openSlot(person);
  await db.query(
    `update storage_objects set status = 'stored', byte_size = $2, stored_at = now() where id = $1`,
    [body.id, byteSize],
  );
  return body.id;
}

async function put(slot: { signed_url: string }, bytes: Uint8Array | ReadableStream): Promise<Response> {
  return fetch(slot.signed_url, {
    method: 'PUT',
    headers: { 'content-type': 'audio/wav' },
    body: bytes as BodyInit,
    duplex: 'half',
  } as RequestInit);
}

async function upload(person: Person): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(makeWav({ seconds: 1 }))]), 'song.wav');
  return fetch(`${base}/v1/analyze/upload`, { method: 'POST', headers: person.headers, body: form });
}

const storageOf = async (person: Person) =>
  (await app.call('GET', '/v1/usage', { headers: person.headers })).body.storage;

describe('the storage quota', () => {
  test('has room for ten of the largest uploads where these exceed the plan, and 1 GB for all demos', async () => {
    const { workspaceId } = await register(app);
    const limitFor = async (uploadBytesMax: number, holder: string | null) => {
      const config = { ...app.deps.config, limits: { ...app.deps.config.limits, uploadBytesMax } };
      return (await readStorageUse({ ...app.deps, config }, db, holder)).limitBytes;
    };
    expect(await limitFor(1_000, workspaceId)).toBe(LIMIT_BYTES);
    expect(await limitFor(80_000_000, workspaceId)).toBe(800_000_000);
    expect(await limitFor(80_000_000, null)).toBe(1_000_000_000);
  });

  test('refuses a demo without advice that only an account could follow', async () => {
    const tooMuch = { objectId: 'obj_demo', workspaceId: null, byteCount: 1_000_000_001 };
    await expect(db.transaction((tx) => reserveBytes(app.deps, tx, tooMuch))).rejects.toMatchObject({
      code: 'storage_quota_exceeded',
      message: 'The demo may keep 1 GB; 0 bytes are in use or being uploaded. Try again later.',
    });
  });
});

describe('the storage use of a workspace', () => {
  test('is not counted twice when the database fails at the end of an upload', async () => {
    const person = await register(app);
    const { body: slot } = await openSlot(person);
    await db.query(`
      create function refuse_release() returns trigger language plpgsql as $$ begin raise 'no release'; end $$;
      create trigger refuse_release before update on storage_objects for each row
        when (old.id = '${slot.id}' and new.reserved_bytes < old.reserved_bytes) execute function refuse_release()`);
    const wav = makeWav({ seconds: 1 });
    expect((await put(slot, wav)).status).toBe(500);
    const row = await db.one(
      'select status, byte_size, reserved_bytes::int from storage_objects where id = $1',
      [slot.id],
    );
    // Like a slot in which nothing was stored: it will be swept.
    expect(row).toEqual({ status: 'pending', byte_size: null, reserved_bytes: wav.length });
    expect(await storageOf(person)).toMatchObject({ used_bytes: wav.length });
    await db.query('drop trigger refuse_release on storage_objects');
  });

  test('is shown on both surfaces, and falls when the file is deleted', async () => {
    const person = await register(app);
    expect(await storageOf(person)).toEqual({ used_bytes: 0, limit_bytes: LIMIT_BYTES });
    const { body: slot } = await openSlot(person);
    const wav = makeWav({ seconds: 1 });
    expect((await put(slot, wav)).status).toBe(200);
    expect(await storageOf(person)).toEqual({ used_bytes: wav.length, limit_bytes: LIMIT_BYTES });
    const workspace = await app.call('GET', '/v1/usage', {
      headers: { authorization: `Bearer ${person.key}` },
    });
    expect(workspace.body.storage).toEqual({ used_bytes: wav.length, limit_bytes: LIMIT_BYTES });
    await db.query(`update storage_objects set status = 'deleted' where id = $1`, [slot.id]);
    expect(await storageOf(person)).toMatchObject({ used_bytes: 0 });
  });

  test('refuses an upload, a slot and a PUT with 413 when it reaches the quota', async () => {
    const person = await register(app);
    const { body: slot } = await openSlot(person);
    await occupy(person, LIMIT_BYTES - 100);
    const uploaded = await upload(person);
    const problem = (await uploaded.json()) as Record<string, unknown>;
    expect([uploaded.status, problem.code]).toEqual([413, 'storage_quota_exceeded']);
    expect(problem.detail).toMatch(/on the free plan, may keep 500 MB; .* Analyse or delete stored files/);
    expect(problem).toMatchObject({ limit_bytes: LIMIT_BYTES, used_bytes: LIMIT_BYTES - 100 });
    expect((await put(slot, makeWav({ seconds: 1 }))).status).toBe(413);
    await occupy(person, 100);
    expect((await openSlot(person)).status).toBe(413);
    const other = await register(app);
    expect((await upload(other)).status).toBe(202);
  });

  test('refuses a URL with 413 when its source is to be retained, and accepts it otherwise', async () => {
    const person = await register(app);
    await occupy(person, LIMIT_BYTES);
    const submit = (retain_source: boolean) =>
      app.call('POST', '/v1/analyses', {
        headers: person.headers,
        body: { source_url: 'https://audio.example/song.mp3', retain_source },
      });
    const retained = await submit(true);
    expect([retained.status, retained.body.code]).toEqual([413, 'storage_quota_exceeded']);
    expect((await submit(false)).status).toBe(202);
  });

  test('makes every operation that would retain a source answer with an error that it declares', async () => {
    const { headers, workspaceId } = await signIn(app);
    await app.call('PATCH', `/v1/account/workspaces/${workspaceId}`, {
      headers,
      body: { retain_source: 'forever' },
    });
    const url = 'https://audio.example/song.mp3';
    const { body: job } = await app.call('POST', '/v1/analyses', { headers, body: { source_url: url } });
    await app.call('POST', `/v1/analyses/${job.id}/cancel`, { headers });
    const objectId = await occupy({ headers }, LIMIT_BYTES);
    const submissions: [path: string, body: object][] = [
      ['/v1/analyses', { source_url: url }],
      ['/v1/account/analyses', { storage_object_id: objectId }],
      ['/v1/analyze/url', { url }],
      ['/v1/batch', { urls: [url] }],
      ['/v1/analyze/batch', { urls: [url] }],
      ['/v1/analyses/bulk', { ids: [job.id], action: 'analyse_again' }],
    ];
    for (const [path, body] of submissions) {
      const refused = await app.call('POST', path, { headers, body });
      expect([path, refused.body.code]).toEqual([path, 'storage_quota_exceeded']);
      const operation = allOperations.find(
        (candidate) => candidate.path === path && candidate.method === 'POST',
      )!;
      expect([path, errorCodesOf(operation)]).toEqual([path, expect.arrayContaining([refused.body.code])]);
    }
  });

  test('is summed from an index of the objects of one workspace, or of the demos', async () => {
    const other = await signIn(app);
    // So many that reading them all would cost more than the index.
    await db.query(
      `insert into storage_objects (id, workspace_id, bucket, key, purpose, content_type, status, byte_size, byte_size_max, expires_at)
       select 'obj_' || n, $1, 'local', 'k' || n, 'upload', 'audio/wav', 'stored', 5, 10, now() from generate_series(1, 5000) n`,
      [other.workspaceId],
    );
    await db.query('vacuum analyze storage_objects');
    const { workspaceId } = await signIn(app);
    for (const holder of [workspaceId, null]) {
      const plans: string[] = [];
      const one = async <R>(sql: string, params?: readonly unknown[]) => {
        plans.push(JSON.stringify(await db.query(`explain ${sql}`, params)));
        return db.one<R>(sql, params);
      };
      expect(await sumHeldBytes({ ...db, one }, holder)).toBe(0);
      expect(plans).toEqual([
        expect.stringMatching(/using storage_objects_held.*Index Cond: \(workspace_id/),
      ]);
    }
  });

  test('includes uploads in progress: of twelve concurrent ones, ten are accepted', async () => {
    const person = await register(app);
    const slots = await Promise.all(Array.from({ length: 12 }, () => openSlot(person)));
    let abort = () => {};
    const aborted = new Promise<void>((resolve) => {
      abort = resolve;
    });
    /** Sends a thousand bytes, then waits for the abort. */
    const stalledBody = () =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new Uint8Array(1_000));
          await aborted;
          controller.error(new Error('aborted'));
        },
      });
    let refusedCount = 0;
    const puts = slots.map(({ body: slot }) =>
      fetch(slot.signed_url, {
        method: 'PUT',
        headers: { 'content-type': 'audio/wav' },
        body: stalledBody(),
        duplex: 'half',
      } as RequestInit).then(
        ({ status }) => {
          if (status === 413) refusedCount += 1;
          return status;
        },
        () => null,
      ),
    );
    // Without a declared length each counts as the largest upload allowed: 50 MB.
    await until(async () => (await storageOf(person)).used_bytes === LIMIT_BYTES, 'ten are in progress');
    await until(() => refusedCount === 2, 'two are refused');
    abort();
    const statuses = await Promise.all(puts);
    expect(statuses.filter((status) => status === 413)).toHaveLength(2);
    await until(async () => (await storageOf(person)).used_bytes === 0, 'the aborted uploads are released');
  });
});

describe('the disk', () => {
  afterEach(() => {
    room = null;
  });

  test('refuses an upload with 507 when less than 2 % would stay free', async () => {
    const person = await register(app);
    // Room for 10,000 bytes; the file has 44,144.
    room = { freeBytes: 2_010_000, totalBytes: 100_000_000 };
    const full = await upload(person);
    expect([full.status, ((await full.json()) as { code: string }).code]).toEqual([507, 'storage_full']);
    room = { freeBytes: 50_000_000, totalBytes: 100_000_000 };
    expect((await upload(person)).status).toBe(202);
  });

  test('is reported as low by /ready below 10 %, which stays 200', async () => {
    room = { freeBytes: 9_000_000, totalBytes: 100_000_000 };
    const low = await app.call('GET', '/ready');
    expect([low.status, low.body.status, low.body.checks.disk]).toEqual([200, 'ready', 'low']);
    room = { freeBytes: 20_000_000, totalBytes: 100_000_000 };
    expect((await app.call('GET', '/ready')).body.checks.disk).toBe('ok');
  });
});
