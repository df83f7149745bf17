import { describe, expect, it } from 'vitest';
import type { Earshot } from './client.ts';
import { createTestService } from './test-service.ts';

/** What a verb of the client asks the service for: method, address, body. */
const VERBS: [name: string, run: (earshot: Earshot) => Promise<unknown>, asked: [string, string, unknown]][] =
  [
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
    [
      'similar',
      (e) => e.analyses.similar('j', { limit: 3 }),
      ['GET', '/v1/analyses/j/similar?limit=3', null],
    ],
    ['similar, plainly', (e) => e.analyses.similar('j'), ['GET', '/v1/analyses/j/similar', null]],
    ['next', (e) => e.analyses.next('j', { limit: 3 }), ['GET', '/v1/analyses/j/next?limit=3', null]],
    ['next, plainly', (e) => e.analyses.next('j'), ['GET', '/v1/analyses/j/next', null]],
    [
      'change',
      (e) => e.analyses.change({ action: 'delete', ids: ['j'] }),
      ['POST', '/v1/analyses/bulk', { action: 'delete', ids: ['j'] }],
    ],
    [
      'deleteSource',
      (e) => e.analyses.deleteSource('j'),
      ['DELETE', '/v1/analyses/j/artifacts/source', null],
    ],
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
      'its making',
      (e) => e.collections.create({ name: 'Friday' }),
      ['POST', '/v1/collections', { name: 'Friday' }],
    ],
    [
      'its change',
      (e) => e.collections.update('c', { name: 'Sunday' }),
      ['PATCH', '/v1/collections/c', { name: 'Sunday' }],
    ],
    ['its end', (e) => e.collections.delete('c'), ['DELETE', '/v1/collections/c', null]],
    [
      'more songs',
      (e) => e.collections.add('c', ['j']),
      ['POST', '/v1/collections/c/items', { items: ['j'] }],
    ],
    [
      'an order',
      (e) => e.collections.order('c', 'harmonic'),
      ['GET', '/v1/collections/c/order?by=harmonic', null],
    ],
  ];

it.each(VERBS)('%s asks once, for the right thing, and hands the answer on', async (_name, run, wanted) => {
  const { earshot, asked } = createTestService(() => Response.json({ id: 'answered' }));
  const answer = (await run(earshot)) as { id?: string } | undefined;
  expect(asked.map(({ method, path, json }) => [method, path, json])).toEqual([wanted]);
  // What is deleted answers with nothing.
  expect(answer?.id).toBe(wanted[0] === 'DELETE' ? undefined : 'answered');
});

it('a write that may be repeated carries a key of its own', async () => {
  const { earshot, asked } = createTestService(() => Response.json({}));
  await earshot.collections.create({ name: 'Friday' });
  await earshot.collections.add('c', ['j']);
  await earshot.analyses.create({ url: 'https://a.example/song.mp3' });
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f-]{36}$/);
});

it('a list is replaced only in the version that was seen', async () => {
  const { earshot, asked } = createTestService(() => Response.json({}));
  await earshot.collections.replaceItems('c', ['j', 'k'], 7);
  expect(asked[0]).toMatchObject({
    method: 'PUT',
    path: '/v1/collections/c/items',
    json: { items: ['j', 'k'] },
  });
  expect(asked[0]!.headers.get('if-match')).toBe('"7"');
});

describe('bytes', () => {
  const bytes = Uint8Array.of(80, 75, 3, 4);

  it.each<[string, (earshot: Earshot) => Promise<Uint8Array>, string]>([
    ['an export', (e) => e.analyses.export('j', 'csv'), '/v1/analyses/j/exports/csv'],
    ['a report', (e) => e.analyses.report('j', 'pdf'), '/v1/analyses/j/artifacts/report.pdf'],
    [
      'a crate',
      (e) => e.collections.export('c', 'csv', '/music'),
      '/v1/collections/c/export?format=csv&folder=%2Fmusic',
    ],
  ])('of %s are asked for as they are', async (_name, run, path) => {
    const { earshot, asked } = createTestService(() => new Response(bytes));
    expect(await run(earshot)).toEqual(bytes);
    expect([asked[0]!.path, asked[0]!.headers.get('accept')]).toEqual([path, '*/*']);
  });

  it('of many songs come with a name and a count', async () => {
    const headers = { 'content-disposition': 'attachment; filename="friday.csv"', 'x-changed-count': '2' };
    const { earshot, asked } = createTestService(() => new Response(bytes, { headers }));
    const file = await earshot.analyses.exportMany({ ids: ['j', 'k'] }, 'csv', '/music');
    expect(file).toEqual({ bytes, fileName: 'friday.csv', songs: 2 });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/v1/analyses/bulk',
      json: { ids: ['j', 'k'], action: 'export', format: 'csv', folder: '/music' },
    });
    expect(asked[0]!.headers.get('accept')).toBe('*/*');
  });

  it('without a name are called by their format', async () => {
    const { earshot } = createTestService(() => new Response(bytes));
    expect((await earshot.analyses.exportMany({ ids: ['j'] }, 'csv')).fileName).toBe('songs.csv');
  });
});

describe('what is submitted', () => {
  it('is an address, with what is wished for', async () => {
    const { earshot, asked } = createTestService(() => Response.json({ id: 'job_1' }));
    await earshot.analyses.create({
      url: 'https://a.example/b.mp3',
      idempotencyKey: 'abcdefgh',
      metadata: { a: 'b' },
    });
    expect(asked[0]).toMatchObject({
      path: '/v1/analyses',
      json: { source_url: 'https://a.example/b.mp3', metadata: { a: 'b' } },
    });
    expect(asked[0]!.headers.get('idempotency-key')).toBe('abcdefgh');
  });

  it('is an object that is stored already', async () => {
    const { earshot, asked } = createTestService(() => Response.json({ id: 'job_1' }));
    await earshot.analyses.create({ storageObjectId: 'obj_9' });
    expect(asked.map(({ json }) => json)).toEqual([{ storage_object_id: 'obj_9' }]);
  });

  const slotThen = (put: () => Response) =>
    createTestService(({ path }) => {
      if (path === '/v1/storage-objects')
        return Response.json({ id: 'obj_1', signed_url: 'https://store.test/slot' });
      return path === '/slot' ? put() : Response.json({ id: 'job_1' });
    });

  it.each(['object_already_uploaded', 'gone'])('is a file that arrived before: %s', async (code) => {
    const { earshot, asked } = slotThen(() => Response.json({ detail: 'No.', code }, { status: 409 }));
    await earshot.analyses.create({ file: new Blob(['x']), idempotencyKey: 'abcdefgh' });
    expect(asked.at(-1)).toMatchObject({ path: '/v1/analyses', json: { storage_object_id: 'obj_1' } });
    expect(asked[0]!.headers.get('idempotency-key')).toBe('upload-abcdefgh');
  });

  it('is nothing when the file is refused', async () => {
    const { earshot, asked } = slotThen(() =>
      Response.json({ detail: 'Full.', code: 'storage_full' }, { status: 507 }),
    );
    await expect(earshot.analyses.create({ file: new Blob(['x']) })).rejects.toThrow('Full.');
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['the one that is given', new File(['x'], 'b.mp3'), 'a.mp3', 'a.mp3'],
    ['that of the file', new File(['x'], 'b.mp3'), undefined, 'b.mp3'],
    ['none, of bytes alone', new Blob(['x']), undefined, null],
  ])('has a name: %s', async (_, file, fileName, named) => {
    const { earshot, asked } = slotThen(() => new Response());
    await earshot.analyses.create({ file, fileName, idempotencyKey: 'k'.repeat(255) });
    expect(asked[0]!.json).toMatchObject({ purpose: 'upload', file_name: named });
    // The service takes 255 characters.
    expect(asked[0]!.headers.get('idempotency-key')).toHaveLength(255);
  });
});
