import type * as contract from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createWorkspaceBench, type Job } from '../analyses/test-workspace-bench.ts';
import { listAuditEvents } from '../audit/audit.ts';
import { addTestSong } from '../library/test-songs.ts';
import { keyHeaders } from '../test/analysis-service.ts';
import { createTestClient } from '../test/client.ts';
import { exportSongs } from './export.ts';

type Collection = z.infer<typeof contract.Collection>;
type Order = z.infer<typeof contract.CollectionOrder>;

const { db, service, newCustomer } = await createWorkspaceBench();
const { member, client, headers } = await newCustomer();
const { workspaceId } = member.actor;
const songs = [
  await addTestSong(db, workspaceId, { title: 'One', bpm: 124, key: 'A', energy: 0.2, durationSeconds: 100 }),
  await addTestSong(db, workspaceId, { title: 'Two', bpm: 126, key: 'D', energy: 0.4, durationSeconds: 200 }),
  await addTestSong(db, workspaceId, {
    title: 'Three',
    bpm: 125,
    key: 'E',
    energy: 0.3,
    durationSeconds: 300,
  }),
] as const;

const send = <B = Collection>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  as = client,
) =>
  as.send<B>(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const create = async (items: readonly string[] = songs) =>
  (await send('POST', '/v1/collections', { name: 'Friday', items })).body;
const nameOf = async (id: string) => (await client.get<Collection>(`/v1/collections/${id}`)).body.name;
const itemsOf = ({ items }: Collection) => items.map((item) => item.job_id);

describe('a collection', () => {
  it('is created, read, listed, renamed and deleted; its songs stay', async () => {
    const created = await send('POST', '/v1/collections', { name: 'Friday', items: songs });
    expect([created.status, created.headers.get('etag')]).toEqual([201, '"1"']);
    expect(created.body).toMatchObject({
      name: 'Friday',
      description: null,
      item_count: 3,
      duration_seconds: 600,
    });
    expect(created.body.items[0]).toMatchObject({ title: 'One', bpm: 124, camelot: '8A', energy: 0.2 });
    const path = `/v1/collections/${created.body.id}`;
    expect((await client.get(path)).body).toEqual(created.body);
    const list = await client.get<Collection[]>('/v1/collections');
    expect(list.body.map(({ id }) => id)).toContain(created.body.id);
    const renamed = await send('PATCH', path, { name: 'Saturday', description: 'late' });
    expect(renamed.body).toMatchObject({ name: 'Saturday', description: 'late', version: 2 });
    expect((await send('PATCH', path, { description: null })).body).toMatchObject({
      name: 'Saturday',
      description: null,
    });
    expect((await send<{ deleted: boolean }>('DELETE', path)).body).toEqual({ deleted: true });
    expect((await client.get(path)).status).toBe(404);
    expect((await client.get(`/v1/analyses/${songs[0]}`)).status).toBe(200);
  });

  it('keeps its order, appends at the end, and filters the library', async () => {
    const { id } = await create([songs[2], songs[0]]);
    const appended = await send('POST', `/v1/collections/${id}/items`, { items: [songs[0], songs[1]] });
    expect(itemsOf(appended.body)).toEqual([songs[2], songs[0], songs[1]]);
    const found = await client.get<Job[]>(`/v1/analyses?collection=${id}&sort=title`);
    expect(found.body.map((job) => job.headline?.title)).toEqual(['One', 'Three', 'Two']);
    const bulk = await send<{ changed: number }>('POST', '/v1/analyses/bulk', {
      query: { q: 'one' },
      action: 'add_to_collection',
      collection_id: id,
    });
    expect(bulk.body.changed).toBe(0);
  });

  it('accepts the first of two concurrent changes and refuses the second with the current version', async () => {
    const { id } = await create();
    const path = `/v1/collections/${id}/items`;
    const ours = await send('PUT', path, { items: [songs[1], songs[0]] }, { 'if-match': '"1"' });
    expect([ours.status, ours.headers.get('etag'), itemsOf(ours.body)]).toEqual([
      200,
      '"2"',
      [songs[1], songs[0]],
    ]);
    const theirs = await send<{ code: string }>('PUT', path, { items: [] }, { 'if-match': '"1"' });
    expect([theirs.status, theirs.body.code, theirs.headers.get('etag')]).toEqual([
      412,
      'precondition_failed',
      '"2"',
    ]);
    expect(itemsOf((await client.get<Collection>(`/v1/collections/${id}`)).body)).toEqual([
      songs[1],
      songs[0],
    ]);
    const renamed = (version: string) =>
      send('PATCH', `/v1/collections/${id}`, { name: 'Ours' }, { 'if-match': version });
    expect([(await renamed('"1"')).status, await nameOf(id)]).toEqual([412, 'Friday']);
    expect([(await renamed('"2"')).status, await nameOf(id)]).toEqual([200, 'Ours']);
    expect((await send('PUT', path, { items: songs }, { 'if-match': '*' })).status).toBe(200);
    const race = await Promise.all(
      [0, 1, 2, 3].map((n) => send('PUT', path, { items: [songs[n % 3]] }, { 'if-match': '"4"' })),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it('leaves an audit event for every change', async () => {
    const { id } = await create([songs[0]]);
    const path = `/v1/collections/${id}`;
    await send('PATCH', path, { name: 'Saturday', description: null });
    await send('POST', `${path}/items`, { items: [songs[0], songs[1]] });
    await send('PUT', `${path}/items`, { items: songs }, { 'if-match': '*' });
    await send('DELETE', path);
    const events = await listAuditEvents(member, { limit: 5 });
    expect(
      events.map(({ action, target_id, metadata }) => [action, target_id, metadata]).toReversed(),
    ).toEqual([
      ['collection.create', id, { name: 'Friday', items: 1 }],
      ['collection.update', id, { changed: ['name', 'description'] }],
      ['collection.add_items', id, { items: 1 }],
      ['collection.replace_items', id, { items: 3 }],
      ['collection.delete', id, {}],
    ]);
  });

  it('has an ETag for If-Match, and ignores If-None-Match', async () => {
    const { id } = await create();
    const path = `/v1/collections/${id}`;
    const tag = String((await client.get(path)).headers.get('etag'));
    // A renamed song changes the response but not the version, so 304 would be wrong.
    expect((await client.get(path, { 'if-none-match': tag })).status).toBe(200);
    const changed = await send('PUT', `${path}/items`, { items: [songs[1]] }, { 'if-match': tag });
    expect([changed.status, itemsOf(changed.body)]).toEqual([200, [songs[1]]]);
  });

  it('loses a song that is deleted', async () => {
    const song = await addTestSong(db, workspaceId);
    const { id } = await create([songs[0], song]);
    await client.send(`/v1/analyses/${song}`, { method: 'DELETE' });
    expect(itemsOf((await client.get<Collection>(`/v1/collections/${id}`)).body)).toEqual([songs[0]]);
  });

  it.each<[string, string, object, Record<string, string>]>([
    ['a replacement without If-Match', 'items', { items: [] }, {}],
    ['a song twice', 'items', { items: [songs[0], songs[0]] }, { 'if-match': '*' }],
    ['an unknown song', 'items', { items: ['job_x'] }, { 'if-match': '*' }],
    ['no list', 'items', {}, { 'if-match': '*' }],
  ])('refuses %s', async (_, __, body, headers) => {
    const { id } = await create();
    expect((await send('PUT', `/v1/collections/${id}/items`, body, headers)).status).toBe(422);
    expect(itemsOf((await client.get<Collection>(`/v1/collections/${id}`)).body)).toEqual([...songs]);
  });

  it('is one of at most 10,000 in a workspace', async () => {
    const customer = await newCustomer();
    await db.query(
      `insert into collections (id, workspace_id, name, created_by, created_at, updated_at)
       select 'col_full_' || n, $1, 'Full', 'u', now(), now() from generate_series(1, 9999) n`,
      [customer.member.actor.workspaceId],
    );
    const createOne = () =>
      send<{ code: string }>('POST', '/v1/collections', { name: 'x' }, {}, customer.client);
    expect((await createOne()).status).toBe(201);
    const refused = await createOne();
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
  });

  it('has at most 5,000 songs: a request that would exceed them adds none', async () => {
    const customer = await newCustomer();
    const owner = customer.member.actor.workspaceId;
    const [last, tooMany] = [await addTestSong(db, owner), await addTestSong(db, owner)];
    const { id } = (await send('POST', '/v1/collections', { name: 'Full' }, {}, customer.client)).body;
    await db.query(
      `with made as (
         insert into analyses (id, workspace_id, surface, status, source_kind, source_url, created_by_kind)
         select 'job_full_' || n, $1, 'workspace', 'queued', 'url', 'u', 'user' from generate_series(1, 4999) n returning id)
       insert into collection_items (collection_id, workspace_id, analysis_id, position, added_at)
       select $2, $1, id, row_number() over (), now() from made`,
      [owner, id],
    );
    const append = (song: string) =>
      send('POST', `/v1/collections/${id}/items`, { items: [song] }, {}, customer.client);
    expect([(await append(last)).status, (await append(tooMany)).status]).toEqual([200, 409]);
    expect((await customer.client.get<Collection>(`/v1/collections/${id}`)).body.item_count).toBe(5_000);
  });

  it('is exported under its name and in its order, with the given folder', async () => {
    const { id } = await create([songs[2], songs[0]]);
    const path = `/v1/collections/${id}/export?format=m3u8&folder=/music`;
    const answer = await fetch(`${service.url}${path}`, { headers });
    expect(answer.headers.get('content-disposition')).toContain('Friday.m3u8');
    expect((await answer.text()).split('\n')).toEqual([
      '#EXTM3U',
      '#PLAYLIST:Friday',
      '#EXTINF:300,Three',
      '/music/Three.mp3',
      '#EXTINF:100,One',
      '/music/One.mp3',
      '',
    ]);
  });

  it('exports at most 500 songs at once', async () => {
    const ids = Array.from({ length: 501 }, (_, n) => `job_${n}`);
    const choice = { format: 'csv', folder: null } as const;
    await expect(exportSongs(member, { name: 'x', ids }, choice)).rejects.toMatchObject({ code: 'conflict' });
    // None of the ids exists, so the largest allowed list gives an empty file.
    expect(await exportSongs(member, { name: 'x', ids: ids.slice(1) }, choice)).toMatchObject({
      songCount: 0,
    });
  });

  it("is invisible to other workspaces, and takes only its own workspace's songs", async () => {
    const { id } = await create();
    const stranger = await newCustomer();
    const theirs = await addTestSong(db, stranger.member.actor.workspaceId);
    expect((await stranger.client.get(`/v1/collections/${id}`)).status).toBe(404);
    expect((await send('PATCH', `/v1/collections/${id}`, { name: 'x' }, {}, stranger.client)).status).toBe(
      404,
    );
    expect((await send('DELETE', `/v1/collections/${id}`, undefined, {}, stranger.client)).status).toBe(404);
    expect((await send('POST', '/v1/collections', { name: 'x', items: [theirs] })).status).toBe(422);
    const reader = createTestClient(service.url, await keyHeaders(member, ['analyses:read']));
    expect((await send('POST', '/v1/collections', { name: 'x' }, {}, reader)).status).toBe(403);
  });
});

describe('an order', () => {
  it('is proposed with a reason for every step, and changes nothing', async () => {
    const { id } = await create();
    const { body } = await client.get<Order>(`/v1/collections/${id}/order?by=harmonic`);
    expect(body.steps.map((step) => step.title)).toEqual(['One', 'Three', 'Two']);
    expect(body.steps[1]).toMatchObject({
      reason: '8A to 9A, a fifth higher; 124.0 to 125.0 BPM, slowed by 0.8 %; energy up by 0.10',
      key_relation: 'fifth_up',
      tempo_shift_percent: -0.8,
      energy_step: 0.1,
    });
    expect((await client.get<Collection>(`/v1/collections/${id}`)).body.version).toBe(1);
    const byBpm = await client.get<Order>(`/v1/collections/${id}/order?by=bpm`);
    expect(byBpm.body.steps.map((step) => step.bpm)).toEqual([124, 125, 126]);
    expect((await client.get(`/v1/collections/${id}/order?by=taste`)).status).toBe(422);
  });
});
