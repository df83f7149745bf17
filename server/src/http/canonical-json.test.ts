import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

it('sorts the members of objects at every depth, and keeps the order of lists', () => {
  const text = '{"a":{"x":[2,1,{"p":0,"q":1}],"y":null},"b":1}';
  expect(canonicalJson({ b: 1, a: { y: null, x: [2, 1, { q: 1, p: 0 }] } })).toBe(text);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});

it('leaves out idempotency_key, only at the top level', () => {
  expect(canonicalJson({ idempotency_key: 'k', metadata: { idempotency_key: 'k' } })).toBe(
    '{"metadata":{"idempotency_key":"k"}}',
  );
});
