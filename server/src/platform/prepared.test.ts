import { expect, it } from 'vitest';
import { prepared, toQueryConfig } from './prepared.ts';

it('names a statement that was marked, and no other', () => {
  const sql = prepared('select 1 as marked');
  expect(sql).toBe('select 1 as marked');
  expect(toQueryConfig(sql, [7], false)).toEqual({ name: expect.any(String), text: sql, values: [7] });
  expect(toQueryConfig('select 2', [7], false)).toEqual({ text: 'select 2', values: [7] });
});

it('has one name for a text and another for its use in a tenant view', () => {
  const first = prepared('select 1 as first');
  const second = prepared('select 1 as second');
  const nameOf = (sql: string, inTenantView: boolean) => toQueryConfig(sql, [], inTenantView).name;
  expect(nameOf(prepared('select 1 as first'), false)).toBe(nameOf(first, false));
  expect(new Set([first, second].flatMap((sql) => [nameOf(sql, false), nameOf(sql, true)])).size).toBe(4);
});
