import { describe, expect, expectTypeOf, it } from 'vitest';
import { type ListOperationId, nextAfter } from './paginate.ts';
import { createTestService } from './test-service.ts';

/** Three pages of one item; the cursor is the item. */
function createPages(headers: Record<string, string> = {}) {
  return createTestService(({ path }) => {
    const after = new URL(path, 'https://service.test').searchParams.get('after');
    const item = after === null ? 1 : Number(after) + 1;
    const link = item < 3 ? { link: `</v1/analyses?after=${item}>; rel="next"` } : undefined;
    return Response.json([{ id: `job_${item}` }], { headers: { ...link, ...headers } });
  });
}

it('iterating a list reads all pages, with the filter in each', async () => {
  const { earshot, requests } = createPages();
  const ids: string[] = [];
  for await (const { id } of earshot.analyses.list({ q: 'night', pageSize: 1 })) ids.push(id);
  expect(ids).toEqual(['job_1', 'job_2', 'job_3']);
  expect(requests.map(({ path }) => path)).toEqual([
    '/v1/analyses?q=night&limit=1',
    '/v1/analyses?q=night&limit=1&after=1',
    '/v1/analyses?q=night&limit=1&after=2',
  ]);
});

it('iterating a list goes on from the cursor of the query', async () => {
  const { earshot, requests } = createPages();
  const ids: string[] = [];
  for await (const { id } of earshot.iterate('listAnalyses', { after: '1' })) ids.push(id);
  expect(ids).toEqual(['job_2', 'job_3']);
  expect(requests.map(({ path }) => path)).toEqual(['/v1/analyses?after=1', '/v1/analyses?after=2']);
});

it('any list can be iterated by the name of its operation', async () => {
  const { earshot, requests } = createPages();
  let count = 0;
  for await (const _ of earshot.iterate('listAnalyses', { status: 'failed' })) count += 1;
  for await (const _ of earshot.collections.list()) count += 1;
  expect(count).toBe(6);
  expect(requests[0]!.path).toBe('/v1/analyses?status=failed');
  expect(requests[3]!.path).toBe('/v1/collections');
});

it('lists that belong to one analysis are excluded, as they need a path parameter', () => {
  expectTypeOf<'listShares'>().not.toExtend<ListOperationId>();
  expectTypeOf<'listAnalyses'>().toExtend<ListOperationId>();
});

it('a page has its items, the total and the cursor of the next page', async () => {
  const { earshot } = createPages({ 'x-total-count': '3' });
  expect(await earshot.page('listAnalyses', { limit: 1 })).toEqual({
    items: [{ id: 'job_1' }],
    after: '1',
    total: 3,
  });
  expect(await earshot.page('listAnalyses', { after: '2' })).toMatchObject({
    items: [{ id: 'job_3' }],
    after: null,
  });
});

it('the total is null if the service does not count', async () => {
  const { earshot } = createPages();
  expect((await earshot.page('listAnalyses')).total).toBeNull();
});

it('a search says whether its total is exact', async () => {
  const exact = createPages({ 'x-total-count': '3' });
  expect(await exact.earshot.analyses.find({ q: 'a' })).toEqual({
    songs: [{ id: 'job_1' }],
    total: 3,
    totalIsExact: true,
    next: '1',
  });
  const many = createPages({ 'x-total-count': '10000', 'x-total-count-relation': 'at-least' });
  expect(await many.earshot.analyses.find({ after: '2' })).toMatchObject({ totalIsExact: false, next: null });
});

describe('nextAfter', () => {
  it('returns the cursor of the next page, or null on the last', () => {
    expect(nextAfter('</v1/analyses?limit=2&after=job_9>; rel="next"')).toBe('job_9');
    expect(nextAfter('</v1/analyses?after=job_9>;rel="next"')).toBe('job_9');
    expect(nextAfter('</v1/analyses>; rel="next"')).toBeNull();
    expect(nextAfter(null)).toBeNull();
    expect(nextAfter('</v1/analyses?after=x>; rel="prev"')).toBeNull();
  });
});
