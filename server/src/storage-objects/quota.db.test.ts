import { allOperations, errorCodesOf } from '@earshot/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DiskSpace } from '../platform/disk-space.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, register, signIn } from '../test/test-app.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';
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

const LIMIT_BYTES = 500_000_000;

type Person = Awaited<ReturnType<typeof register>>;

async function openSlot(person: { headers: Record<string, string> }) {
  return app.call('POST', '/v1/storage-objects', {
    headers: person.headers,
    body: { content_type: 'audio/wav', purpose: 'upload' },
  });
}

/** So many bytes as if they had been uploaded. */
async function park(person: { headers: Record<string, string> }, byteSize: number): Promise<string> {
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

describe('storage of a workspace', () => {
  test('is not counted twice when the database fails at the end of an upload', async () => {
    const person = await register(app);
    const { body: slot } = await openSlot(person);
    await db.query(`
      create function refuse_release() returns trigger language plpgsql as $$ begin raise 'no release'; end $$;
      create trigger refuse_release before update on storage_objects for each row
        when (old.id = '${slot.id}' and new.reserved_bytes < old.reserved_bytes) execute function refuse_release()`);
    expect((await put(slot, makeWav({ seconds: 1 }))).status).toBe(500);
    const row = await db.one(
      'select status, reserved_bytes > 0 as reserved from storage_objects where id = $1',
      [slot.id],
    );
    // As a slot nothing was stored in, which is swept away.
    expect(row).toEqual({ status: 'pending', reserved: true });
    await db.query('drop trigger refuse_release on storage_objects');
  });

  test('is counted, shown on both surfaces, and free again when the file goes', async () => {
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

  test('413 with a sentence, by upload, by slot and by PUT, when it is full', async () => {
    const person = await register(app);
    const { body: slot } = await openSlot(person);
    await park(person, LIMIT_BYTES - 100);
    const uploaded = await upload(person);
    const problem = (await uploaded.json()) as Record<string, unknown>;
    expect([uploaded.status, problem.code]).toEqual([413, 'storage_quota_exceeded']);
    expect(problem.detail).toMatch(/on the free plan, may keep 500 MB/);
    expect(problem).toMatchObject({ limit_bytes: LIMIT_BYTES, used_bytes: LIMIT_BYTES - 100 });
    expect((await put(slot, makeWav({ seconds: 1 }))).status).toBe(413);
    await park(person, 100);
    expect((await openSlot(person)).status).toBe(413);
    const other = await register(app);
    expect((await upload(other)).status).toBe(202);
  });

  test('413 for an address whose source would be retained, and not for one that is only heard', async () => {
    const person = await register(app);
    await park(person, LIMIT_BYTES);
    const submit = (retain_source: boolean) =>
      app.call('POST', '/v1/analyses', {
        headers: person.headers,
        body: { source_url: 'https://audio.example/song.mp3', retain_source },
      });
    const retained = await submit(true);
    expect([retained.status, retained.body.code]).toEqual([413, 'storage_quota_exceeded']);
    expect((await submit(false)).status).toBe(202);
  });

  test('is told as full by every operation that would retain a song, and its document says so', async () => {
    const { headers, workspaceId } = await signIn(app);
    await app.call('PATCH', `/v1/account/workspaces/${workspaceId}`, {
      headers,
      body: { retain_source: 'forever' },
    });
    const url = 'https://audio.example/song.mp3';
    const { body: job } = await app.call('POST', '/v1/analyses', { headers, body: { source_url: url } });
    await app.call('POST', `/v1/analyses/${job.id}/cancel`, { headers });
    const objectId = await park({ headers }, LIMIT_BYTES);
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
      const operation = allOperations.find((one) => one.path === path && one.method === 'POST')!;
      expect([path, errorCodesOf(operation)]).toEqual([path, expect.arrayContaining([refused.body.code])]);
    }
  });

  test('is summed from an index of its own objects, and so is that of the demos', async () => {
    const other = await signIn(app);
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

  test('of twelve uploads at once ten find room: what is under way counts', async () => {
    const person = await register(app);
    const slots = await Promise.all(Array.from({ length: 12 }, () => openSlot(person)));
    let giveUp = () => {};
    const givenUp = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    /** Sends a little, and waits. */
    const trickle = () =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new Uint8Array(1_000));
          await givenUp;
          controller.error(new Error('given up'));
        },
      });
    let refused = 0;
    const puts = slots.map(({ body: slot }) =>
      fetch(slot.signed_url, {
        method: 'PUT',
        headers: { 'content-type': 'audio/wav' },
        body: trickle(),
        duplex: 'half',
      } as RequestInit).then(
        ({ status }) => {
          if (status === 413) refused += 1;
          return status;
        },
        () => null,
      ),
    );
    // Without a declared length each counts as the most it can be: 50 MB.
    await until(async () => (await storageOf(person)).used_bytes === LIMIT_BYTES, 'ten are under way');
    // Those that came too late have their answer before the others give up.
    await until(async () => refused === 2, 'two are refused');
    giveUp();
    const statuses = await Promise.all(puts);
    expect(statuses.filter((status) => status === 413)).toHaveLength(2);
    // Those that broke off gave their room back.
    await until(async () => (await storageOf(person)).used_bytes === 0, 'the room is free again');
  });
});

describe('the disk', () => {
  test('507 when the file would take the last part of it, which the database needs', async () => {
    const person = await register(app);
    room = { freeBytes: 2_010_000, totalBytes: 100_000_000 };
    const full = await upload(person);
    expect([full.status, ((await full.json()) as { code: string }).code]).toEqual([507, 'storage_full']);
    room = { freeBytes: 50_000_000, totalBytes: 100_000_000 };
    expect((await upload(person)).status).toBe(202);
    room = null;
  });

  test('/ready tells when it is nearly full, and stays ready', async () => {
    room = { freeBytes: 9_000_000, totalBytes: 100_000_000 };
    const low = await app.call('GET', '/ready');
    expect([low.status, low.body.status, low.body.checks.disk]).toEqual([200, 'ready', 'low']);
    room = { freeBytes: 20_000_000, totalBytes: 100_000_000 };
    expect((await app.call('GET', '/ready')).body.checks.disk).toBe('ok');
    room = null;
  });
});
