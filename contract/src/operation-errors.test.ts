import { expect, it } from 'vitest';
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';
import type { Operation } from './operation.ts';
import { errorCodesByStatus, errorCodesOf, validatesInput } from './operation-errors.ts';
import { allOperations } from './operations.ts';

const bare: Operation = {
  id: 'getThing',
  method: 'GET',
  path: '/thing',
  summary: '',
  tag: '',
  surface: 'operational',
  policy: { access: 'public' },
  responses: {},
};
const WAV_BODY = { contentType: 'audio/wav', description: '', as: 'stream' } as const;
const members = { access: 'workspace', scope: null, role: 'member' } as const;
const codesOf = (more: Partial<Operation>) => errorCodesOf({ ...bare, ...more }).toSorted();

it.each<[string, Partial<Operation>, string[]]>([
  ['is public and operational', {}, []],
  ['has codes of its own', { errors: ['gone'] }, ['gone']],
  ['is on a surface with limits', { surface: 'key' }, ['overloaded', 'rate_limited', 'unavailable']],
  ['looks up a token', { policy: { access: 'signature' } }, ['unavailable']],
  ['has an id in its path', { params: z.object({ id: z.string() }) }, ['not_found']],
  ['has a JSON body', { body: z.object({}) }, ['bad_request', 'payload_too_large', 'unsupported_media']],
  ['has a raw body', { rawBody: WAV_BODY }, ['bad_request', 'payload_too_large', 'unsupported_media']],
  ['honours idempotency keys', { idempotent: true }, ['idempotency_in_progress', 'idempotency_key_reused']],
  [
    'reads for members',
    { policy: members },
    ['email_not_verified', 'insufficient_role', 'insufficient_scope', 'unauthorized'],
  ],
  [
    'is open to unverified addresses',
    { policy: { ...members, unverified: true } },
    ['insufficient_role', 'insufficient_scope', 'unauthorized'],
  ],
  [
    'changes something for members',
    { policy: members, method: 'POST' },
    ['cross_origin_cookie', 'email_not_verified', 'insufficient_role', 'insufficient_scope', 'unauthorized'],
  ],
])('an operation that %s has the codes that follow, and `internal`', (_, more, codes) => {
  expect(codesOf(more)).toEqual([...codes, 'internal'].toSorted());
});

it('every code is one of an operation, except that of a method without an operation', () => {
  const used = new Set(allOperations.flatMap(errorCodesOf));
  const unused = Object.keys(ERROR_STATUS).filter((code) => !used.has(code as ErrorCode));
  expect(unused).toEqual(['method_not_allowed']);
});

it('groups codes by status, each once', () => {
  const byStatus = errorCodesByStatus({ ...bare, errors: ['conflict', 'already_finished', 'internal'] });
  expect([...byStatus]).toEqual([
    [409, ['conflict', 'already_finished']],
    [500, ['internal']],
  ]);
});

it.each<[string, Partial<Operation>, boolean]>([
  ['nothing', {}, false],
  ['any id in its path', { params: z.object({ id: z.string() }) }, false],
  ['a fixed choice in its path', { params: z.object({ format: z.enum(['midi']) }) }, true],
  ['a query', { query: z.object({}) }, true],
  ['headers', { headers: z.object({}) }, true],
  ['a body', { body: z.object({}) }, true],
  ['a raw body', { rawBody: WAV_BODY }, true],
  ['idempotency keys', { idempotent: true }, true],
])('an operation that takes %s can fail validation, or not', (_, more, expected) => {
  expect(validatesInput({ ...bare, ...more })).toBe(expected);
});

it('no operation lists a code that follows anyway', () => {
  const repeated = allOperations.flatMap((operation) => {
    const following = errorCodesOf({ ...operation, errors: [] });
    return (operation.errors ?? [])
      .filter((code) => following.includes(code))
      .map((code) => `${operation.id}: ${code}`);
  });
  expect(repeated).toEqual([]);
});
