import { expect, it, vi } from 'vitest';
import type { Raw } from './implement.ts';
import { answerPage, nextLink } from './page.ts';

const raw = { request: { url: '/v1/things?kind=a%20b&after=old&limit=2' } } as Raw;

async function answer(rowCount: number) {
  const rows = Array.from({ length: rowCount }, (_, index) => ({ id: `id_${index + 1}` }));
  const read = vi.fn(async ({ limit }: { limit: number }) => rows.slice(0, limit));
  const answered = await answerPage(raw, { limit: 2, after: 'old' }, read, ({ id }) => id);
  expect(read.mock.calls).toEqual([[{ limit: 3, after: 'old' }]]);
  return answered;
}

it('links to the page after the last row shown, only when there is one', async () => {
  expect(await answer(0)).toEqual({ status: 200, body: [], headers: {} });
  expect(await answer(2)).toEqual({ status: 200, body: ['id_1', 'id_2'], headers: {} });
  expect(await answer(3)).toEqual({
    status: 200,
    body: ['id_1', 'id_2'],
    headers: { Link: '</v1/things?kind=a+b&after=id_2&limit=2>; rel="next"' },
  });
});

it('leaves a cursor that has not moved as it is', () => {
  expect(nextLink(raw, { after: undefined, other: 'x' }).Link).toBe(
    '</v1/things?kind=a+b&after=old&limit=2&other=x>; rel="next"',
  );
});
