import type * as contract from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createWorkspaceBench, type Job } from '../analyses/test-workspace-bench.ts';
import { addTestSong } from '../library/test-songs.ts';
import { keyHeaders } from '../test/analysis-service.ts';
import { createTestClient } from '../test/client.ts';

type Collection = z.infer<typeof contract.Collection>;
type Order = z.infer<typeof contract.CollectionOrder>;

const { db, service, newCustomer } = await createWorkspaceBench();
const { member, client } = await newCustomer();
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
const make = async (items: readonly string[] = songs) =>
  (await send('POST', '/v1/collections', { name: 'Friday', items })).body;
const itemsOf = ({ items }: Collection) => items.map((item) => item.job_id);

describe('a collection', () => {
  it('is made, read, listed, renamed and deleted; its songs stay', async () => {
    const made = await send('POST', '/v1/collections', { name: 'Friday', items: songs });
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
    expect(made.body).toMatchObject({
      name: 'Friday',
      description: null,
      item_count: 3,
      duration_seconds: 600,
    });
    expect(made.body.items[0]).toMatchObject({ title: 'One', bpm: 124, camelot: '8A', energy: 0.2 });
    const path = `/v1/collections/${made.body.id}`;
    expect((await client.get(path)).body).toEqual(made.body);
    const list = await client.get<Collection[]>('/v1/collections');
    expect(list.body.map(({ id }) => id)).toContain(made.body.id);
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

  it('keeps the order it is given, adds at the end, and finds its songs', async () => {
    const { id } = await make([songs[2], songs[0]]);
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

  it('changed by two at once takes the first and tells the second', async () => {
    const { id } = await make();
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
    expect((await send('PUT', path, { items: songs }, { 'if-match': '*' })).status).toBe(200);
    const race = await Promise.all(
      [0, 1, 2, 3].map((n) => send('PUT', path, { items: [songs[n % 3]] }, { 'if-match': '"3"' })),
    );
    expect(race.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it('is read with the tag that changes it, and read whole again though that tag is known', async () => {
    const { id } = await make();
    const path = `/v1/collections/${id}`;
    const tag = String((await client.get(path)).headers.get('etag'));
    // A song's new name changes the answer and not the version.
    expect((await client.get(path, { 'if-none-match': tag })).status).toBe(200);
    const changed = await send('PUT', `${path}/items`, { items: [songs[1]] }, { 'if-match': tag });
    expect([changed.status, itemsOf(changed.body)]).toEqual([200, [songs[1]]]);
  });

  it('loses a song that is deleted', async () => {
    const song = await addTestSong(db, workspaceId);
    const { id } = await make([songs[0], song]);
    await client.send(`/v1/analyses/${song}`, { method: 'DELETE' });
    expect(itemsOf((await client.get<Collection>(`/v1/collections/${id}`)).body)).toEqual([songs[0]]);
  });

  it.each<[string, string, object, Record<string, string>]>([
    ['a list without If-Match', 'items', { items: [] }, {}],
    ['a song twice', 'items', { items: [songs[0], songs[0]] }, { 'if-match': '*' }],
    ['a song that is not there', 'items', { items: ['job_x'] }, { 'if-match': '*' }],
    ['no list', 'items', {}, { 'if-match': '*' }],
  ])('refuses %s', async (_, __, body, headers) => {
    const { id } = await make();
    expect((await send('PUT', `/v1/collections/${id}/items`, body, headers)).status).toBe(422);
    expect(itemsOf((await client.get<Collection>(`/v1/collections/${id}`)).body)).toEqual([...songs]);
  });

  it("is its workspace's own, and so are its songs", async () => {
    const { id } = await make();
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
  it('is proposed with the reason of every step, and changes nothing', async () => {
    const { id } = await make();
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
