import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

it('is one text for members in any order, at every depth, and lists keep theirs', () => {
  const text = '{"a":{"x":[2,1,{"p":0,"q":1}],"y":null},"b":1}';
  expect(canonicalJson({ b: 1, a: { y: null, x: [2, 1, { q: 1, p: 0 }] } })).toBe(text);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});

it('leaves the name of the request out at the top alone', () => {
  expect(canonicalJson({ idempotency_key: 'k', metadata: { idempotency_key: 'k' } })).toBe(
    '{"metadata":{"idempotency_key":"k"}}',
  );
});
