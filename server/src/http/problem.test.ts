import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { AppError, accessEnded } from '../errors.ts';
import { answerError } from './problem.ts';

async function answerTo(error: unknown) {
  const app = Fastify();
  app.setErrorHandler(answerError);
  app.get('/', () => {
    throw error;
  });
  const { statusCode, headers } = await app.inject('/');
  return { statusCode, headers };
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

it('closes the connection when the body was not read to its end', async () => {
  const refused = new AppError('payload_too_large', 'Too large.', { bodyUnread: true });
  expect((await answerTo(refused)).headers.connection).toBe('close');
  expect((await answerTo(new AppError('conflict', 'Not now.'))).headers.connection).not.toBe('close');
});

it('sends the present version as ETag', async () => {
  const refused = new AppError('precondition_failed', 'Changed meanwhile.', { currentVersion: 7 });
  expect(await answerTo(refused)).toMatchObject({ statusCode: 412, headers: { etag: '"7"' } });
});

it('sends WWW-Authenticate with a 401, and no extra headers with an error that has none', async () => {
  expect((await answerTo(accessEnded())).headers['www-authenticate']).toBe('Bearer realm="earshot"');
  const { headers } = await answerTo(new AppError('conflict', 'Not now.'));
  for (const name of ['retry-after', 'ratelimit', 'etag', 'www-authenticate'])
    expect(headers).not.toHaveProperty(name);
});
