import { describe, expect, it } from 'vitest';
import type { Earshot } from './client.ts';
import { createTestService } from './test-service.ts';

/** The request that each verb of the client sends: method, path, body. */
const VERBS: [
  name: string,
  run: (earshot: Earshot) => Promise<unknown>,
  request: [method: string, path: string, json: unknown],
][] = [
  ['get', (e) => e.analyses.get('a/b'), ['GET', '/v1/analyses/a%2Fb', null]],
  [
    'describe',
    (e) => e.analyses.describe('j', { title: 'Blue' }),
    ['PATCH', '/v1/analyses/j', { title: 'Blue' }],
  ],
  [
    'correct',
    (e) => e.analyses.correct('j', { key: 'D minor' }),
    ['PUT', '/v1/analyses/j/corrections', { key: 'D minor' }],
  ],
  ['uncorrect', (e) => e.analyses.uncorrect('j'), ['DELETE', '/v1/analyses/j/corrections', null]],
  ['similar', (e) => e.analyses.similar('j', { limit: 3 }), ['GET', '/v1/analyses/j/similar?limit=3', null]],
  ['similar, by default', (e) => e.analyses.similar('j'), ['GET', '/v1/analyses/j/similar', null]],
  ['next', (e) => e.analyses.next('j', { limit: 3 }), ['GET', '/v1/analyses/j/next?limit=3', null]],
  ['next, by default', (e) => e.analyses.next('j'), ['GET', '/v1/analyses/j/next', null]],
  [
    'change',
    (e) => e.analyses.change({ action: 'delete', ids: ['j'] }),
    ['POST', '/v1/analyses/bulk', { action: 'delete', ids: ['j'] }],
  ],
  ['deleteSource', (e) => e.analyses.deleteSource('j'), ['DELETE', '/v1/analyses/j/artifacts/source', null]],
  ['result', (e) => e.analyses.result('j'), ['GET', '/v1/analyses/j/result', null]],
  [
    'result as heard',
    (e) => e.analyses.result('j', { asHeard: true }),
    ['GET', '/v1/analyses/j/result?as_heard=true', null],
  ],
  ['events', (e) => e.analyses.events('j'), ['GET', '/v1/analyses/j/events', null]],
  ['delete', (e) => e.analyses.delete('j'), ['DELETE', '/v1/analyses/j', null]],
  ['a collection', (e) => e.collections.get('c/d'), ['GET', '/v1/collections/c%2Fd', null]],
  [
    'creating a collection',
    (e) => e.collections.create({ name: 'Friday' }),
    ['POST', '/v1/collections', { name: 'Friday' }],
  ],
  [
    'updating a collection',
    (e) => e.collections.update('c', { name: 'Sunday' }),
    ['PATCH', '/v1/collections/c', { name: 'Sunday' }],
  ],
  ['deleting a collection', (e) => e.collections.delete('c'), ['DELETE', '/v1/collections/c', null]],
  [
    'adding songs',
    (e) => e.collections.add('c', ['j']),
    ['POST', '/v1/collections/c/items', { items: ['j'] }],
  ],
  [
    'proposing an order',
    (e) => e.collections.order('c', 'harmonic'),
    ['GET', '/v1/collections/c/order?by=harmonic', null],
  ],
];

it.each(VERBS)('%s sends one request and returns its response', async (_name, run, wanted) => {
  const { earshot, requests } = createTestService(() => Response.json({ id: 'answered' }));
  const answer = (await run(earshot)) as { id?: string } | undefined;
  expect(requests.map(({ method, path, json }) => [method, path, json])).toEqual([wanted]);
  // Deletions return nothing.
  expect(answer?.id).toBe(wanted[0] === 'DELETE' ? undefined : 'answered');
});

it('each write that may be retried has its own idempotency key', async () => {
  const { earshot, requests } = createTestService(() => Response.json({}));
  await earshot.collections.create({ name: 'Friday' });
  await earshot.collections.add('c', ['j']);
  await earshot.analyses.create({ url: 'https://a.example/song.mp3' });
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

it('replacing a list names the version that it replaces', async () => {
  const { earshot, requests } = createTestService(() => Response.json({}));
  await earshot.collections.replaceItems('c', ['j', 'k'], 7);
  expect(requests[0]).toMatchObject({
    method: 'PUT',
    path: '/v1/collections/c/items',
    json: { items: ['j', 'k'] },
  });
  expect(requests[0]!.headers.get('if-match')).toBe('"7"');
});

describe('downloads', () => {
  const bytes = Uint8Array.of(80, 75, 3, 4);

  it.each<[string, (earshot: Earshot) => Promise<Uint8Array>, string]>([
    ['an export', (e) => e.analyses.export('j', 'csv'), '/v1/analyses/j/exports/csv'],
    ['a report', (e) => e.analyses.report('j', 'pdf'), '/v1/analyses/j/artifacts/report.pdf'],
    [
      'a crate',
      (e) => e.collections.export('c', 'csv', '/music'),
      '/v1/collections/c/export?format=csv&folder=%2Fmusic',
    ],
  ])('%s is returned as bytes, of any content type', async (_name, run, path) => {
    const { earshot, requests } = createTestService(() => new Response(bytes));
    expect(await run(earshot)).toEqual(bytes);
    expect([requests[0]!.path, requests[0]!.headers.get('accept')]).toEqual([path, '*/*']);
  });

  it('an export of many songs has a file name and a count', async () => {
    const headers = { 'content-disposition': 'attachment; filename="friday.csv"', 'x-changed-count': '2' };
    const { earshot, requests } = createTestService(() => new Response(bytes, { headers }));
    const file = await earshot.analyses.exportMany({ ids: ['j', 'k'] }, 'csv', '/music');
    expect(file).toEqual({ bytes, fileName: 'friday.csv', songs: 2 });
    expect(requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/analyses/bulk',
      json: { ids: ['j', 'k'], action: 'export', format: 'csv', folder: '/music' },
    });
    expect(requests[0]!.headers.get('accept')).toBe('*/*');
  });

  it('an export without a file name is named after its format', async () => {
    const { earshot } = createTestService(() => new Response(bytes));
    expect((await earshot.analyses.exportMany({ ids: ['j'] }, 'csv')).fileName).toBe('songs.csv');
  });
});

describe('submitting', () => {
  it('a URL sends it with the options', async () => {
    const { earshot, requests } = createTestService(() => Response.json({ id: 'job_1' }));
    await earshot.analyses.create({
      url: 'https://a.example/b.mp3',
      idempotencyKey: 'abcdefgh',
      metadata: { a: 'b' },
    });
    expect(requests[0]).toMatchObject({
      path: '/v1/analyses',
      json: { source_url: 'https://a.example/b.mp3', metadata: { a: 'b' } },
    });
    expect(requests[0]!.headers.get('idempotency-key')).toBe('abcdefgh');
  });

  // The service refuses an empty id, and its error names the field.
  it.each(['obj_9', ''])('an object in storage sends its id: %j', async (storageObjectId) => {
    const { earshot, requests } = createTestService(() => Response.json({ id: 'job_1' }));
    await earshot.analyses.create({ storageObjectId });
    expect(requests.map(({ json }) => json)).toEqual([{ storage_object_id: storageObjectId }]);
  });

  const slotThen = (put: () => Response) =>
    createTestService(({ path }) => {
      if (path === '/v1/storage-objects')
        return Response.json({ id: 'obj_1', signed_url: 'https://store.test/slot' });
      return path === '/slot' ? put() : Response.json({ id: 'job_1' });
    });

  it.each(['object_already_uploaded', 'gone'])(
    'a file that its slot refuses with %s still submits the object',
    async (code) => {
      const { earshot, requests } = slotThen(() => Response.json({ detail: 'No.', code }, { status: 409 }));
      await earshot.analyses.create({ file: new Blob(['x']), idempotencyKey: 'abcdefgh' });
      expect(requests.at(-1)).toMatchObject({ path: '/v1/analyses', json: { storage_object_id: 'obj_1' } });
      expect(requests[0]!.headers.get('idempotency-key')).toBe('upload-abcdefgh');
    },
  );

  it('a file that storage refuses throws and submits nothing', async () => {
    const { earshot, requests } = slotThen(() =>
      Response.json({ detail: 'Full.', code: 'storage_full' }, { status: 507 }),
    );
    await expect(earshot.analyses.create({ file: new Blob(['x']) })).rejects.toThrow('Full.');
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['the given one', new File(['x'], 'b.mp3'), 'a.mp3', 'a.mp3'],
    ['that of the File', new File(['x'], 'b.mp3'), undefined, 'b.mp3'],
    ['none for a Blob', new Blob(['x']), undefined, null],
  ])('a file sends its name: %s', async (_, file, fileName, sentName) => {
    const { earshot, requests } = slotThen(() => new Response());
    await earshot.analyses.create({ file, fileName, idempotencyKey: 'k'.repeat(255) });
    expect(requests[0]!.json).toMatchObject({ purpose: 'upload', file_name: sentName });
    // The service accepts 255 characters.
    expect(requests[0]!.headers.get('idempotency-key')).toHaveLength(255);
  });
});
