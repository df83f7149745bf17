import { expect, it } from 'vitest';
import { actorLabel, metadataText } from './audit-text.ts';

const NAMES = new Map([
  ['usr_1', 'ada@example.com'],
  ['key_1', 'Nightly import'],
]);

it.each([
  ['a member by e-mail address', 'user', 'usr_1', 'ada@example.com'],
  ['a former member by id', 'user', 'usr_2', 'usr_2'],
  ['an API key by name', 'api_key', 'key_1', 'key Nightly import'],
  ['an API key that is not known any more', 'api_key', 'key_2', 'key key_2'],
  ['an API key without an id', 'api_key', null, 'a key'],
  ['an actor without an id by its kind', 'payment_provider', null, 'payment provider'],
] as const)('names %s', (_, actor_kind, actor_id, label) => {
  expect(actorLabel({ actor_kind, actor_id }, NAMES)).toBe(label);
});

it.each([
  ['text', 'text'],
  [3, '3'],
  [null, 'null'],
  [{ from: 'free' }, '{"from":"free"}'],
  [['analyses:read', ['usage:read', 1]], 'analyses:read, usage:read, 1'],
])('%j is shown as %s', (value, text) => {
  expect(metadataText(value)).toBe(text);
});
