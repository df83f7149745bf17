import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { AppError, accessEnded, ValidationFailed } from '../errors.ts';
import { answerError } from './problem.ts';

async function answerTo(error: unknown, request: object = {}) {
  const app = Fastify({ routerOptions: { maxParamLength: 5 }, frameworkErrors: answerError as never });
  app.setErrorHandler(answerError);
  app.all('/', () => {
    throw error;
  });
  app.get('/:id', () => 'found');
  const answer = await app.inject({ url: '/', ...request });
  return { statusCode: answer.statusCode, headers: answer.headers, body: answer.json() };
}

it('sends Retry-After and the headers of the exhausted limit', async () => {
  const limit = { name: 'codes', count: 5, windowSeconds: 900 };
  const refused = new AppError('rate_limited', 'Too many codes.', { limit, retryAfterSeconds: 42 });
  expect(await answerTo(refused)).toMatchObject({
    statusCode: 429,
    headers: {
      'retry-after': '42',
      ratelimit: '"codes";r=0;t=42',
      'ratelimit-policy': '"codes";q=5;w=900',
      'cache-control': 'no-store',
    },
  });
});

it('closes the connection when the body was not read completely', async () => {
  const bodyUnread = true;
  for (const unread of [
    new AppError('payload_too_large', 'Too large.', { bodyUnread }),
    new ValidationFailed([], { bodyUnread }),
  ])
    expect((await answerTo(unread)).headers.connection).toBe('close');
  for (const read of [new AppError('conflict', 'Not now.'), new ValidationFailed([])])
    expect((await answerTo(read)).headers.connection).not.toBe('close');
});

it('sends the current version as ETag', async () => {
  const refused = new AppError('precondition_failed', 'Changed meanwhile.', { currentVersion: 7 });
  expect(await answerTo(refused)).toMatchObject({ statusCode: 412, headers: { etag: '"7"' } });
});

it('answers invalid input with 422 and its issues alone, never from a cache', async () => {
  const issues = [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }];
  const { statusCode, headers, body } = await answerTo(new ValidationFailed(issues));
  expect([statusCode, headers['cache-control'], body]).toEqual([422, 'no-store', { detail: issues }]);
});

it('hides the details of an unexpected error', async () => {
  const { statusCode, body } = await answerTo(new Error('password=hunter2'));
  expect([statusCode, body.code, JSON.stringify(body).includes('hunter2')]).toEqual([500, 'internal', false]);
});

it.each([
  [{ method: 'POST', headers: { 'content-type': 'no type' }, payload: 'x' }, 415, 'unsupported_media'],
  [{ url: '/%zz' }, 400, 'bad_request'],
  [{ url: '/longid' }, 404, 'not_found'],
])('translates an error of the framework: %o', async (request, status, code) => {
  const { statusCode, body } = await answerTo(null, request);
  expect([statusCode, body.code]).toEqual([status, code]);
});

it('treats other client errors of the framework as 400, and its server errors as 500', async () => {
  const withStatus = (statusCode: number) => Object.assign(new Error('secret'), { statusCode });
  expect(await answerTo(withStatus(499))).toMatchObject({ statusCode: 400, body: { code: 'bad_request' } });
  expect(await answerTo(withStatus(503))).toMatchObject({ statusCode: 500, body: { code: 'internal' } });
});

it('sends WWW-Authenticate with a 401, and no extra headers with an error that has none', async () => {
  expect((await answerTo(accessEnded())).headers['www-authenticate']).toBe('Bearer realm="earshot"');
  const { headers } = await answerTo(new AppError('conflict', 'Not now.'));
  for (const name of ['retry-after', 'ratelimit', 'etag', 'www-authenticate'])
    expect(headers).not.toHaveProperty(name);
});
