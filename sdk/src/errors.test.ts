import { expect, it } from 'vitest';
import { ApiError } from './errors.ts';

it.each([
  ['a sentence', { detail: 'No.', code: 'not_found' as const }, 'No.', 'not_found', 'No.'],
  ['nothing', null, 'The service answered 404', null, null],
  ['nothing of ours', {}, 'The service answered 404', null, null],
  [
    'items, each with its place',
    { detail: [{ loc: ['body', 'email'], msg: 'Field required' }, { msg: 'Too long' }] },
    'body.email: Field required; : Too long',
    null,
    [{ loc: ['body', 'email'], msg: 'Field required' }, { msg: 'Too long' }],
  ],
])('an error with %s says so', (_name, body, message, code, detail) => {
  expect(new ApiError(404, body, 'req_1')).toMatchObject({
    name: 'ApiError',
    status: 404,
    message,
    code,
    detail,
    requestId: 'req_1',
  });
});
