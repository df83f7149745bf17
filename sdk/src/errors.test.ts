import { expect, it } from 'vitest';
import { ApiError } from './errors.ts';

it.each([
  ['a sentence as detail', { detail: 'No.', code: 'not_found' as const }, 'No.', 'not_found', 'No.'],
  ['nothing', null, 'The service answered 404', null, null],
  ['no detail', {}, 'The service answered 404', null, null],
  [
    'a list of issues',
    {
      detail: [
        { loc: ['body', 'email'], msg: 'Field required' },
        { loc: ['body', 'tags', '2'], msg: 'Too long' },
      ],
    },
    'body.email: Field required; body.tags.2: Too long',
    null,
    [
      { loc: ['body', 'email'], msg: 'Field required' },
      { loc: ['body', 'tags', '2'], msg: 'Too long' },
    ],
  ],
])('the message of an error whose body has %s', (_name, body, message, code, detail) => {
  expect(new ApiError(404, body, 'req_1')).toMatchObject({
    name: 'ApiError',
    status: 404,
    message,
    code,
    detail,
    requestId: 'req_1',
  });
});

// As a gateway in front of the service may answer.
it.each<[body: object | string]>([
  [{ detail: ['Bad gateway'] }],
  [{ detail: [{ why: 'Bad gateway' }] }],
  [{ detail: [{ loc: 'body', msg: 'Bad gateway' }] }],
  [{ detail: [{ loc: ['body', 'email'], msg: 'Field required' }, null] }],
  [{ detail: [{ loc: ['body'], msg: { text: 'Bad gateway' } }] }],
  [{ detail: [] }],
  [{ detail: { why: 'Bad gateway' } }],
  [['Bad gateway']],
  ['Bad gateway'],
])('an error body of another shape gives a message with the status, and keeps its detail: %j', (body) => {
  const error = new ApiError(502, body as { detail?: unknown }, null);
  const detail = (body as { detail?: unknown }).detail ?? null;
  expect([error.message, error.detail]).toEqual(['The service answered 502', detail]);
});
