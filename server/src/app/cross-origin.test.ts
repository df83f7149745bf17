import { allOperations } from '@earshot/contract';
import fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { createCrossOriginHeaders } from './cross-origin.ts';

const crossOrigin = createCrossOriginHeaders(['https://app.example.com']);
const app = fastify();
app.options('/', async (request, reply) => {
  crossOrigin.add(request, reply);
  crossOrigin.addPreflight(request, reply, 'PUT');
  return '';
});
afterAll(() => app.close());

const { headers } = await app.inject({
  method: 'OPTIONS',
  url: '/',
  headers: { origin: 'https://app.example.com', 'access-control-request-method': 'PUT' },
});
const namesIn = (list: unknown) => new Set(String(list).toLowerCase().split(', '));

/** All operations but the payment provider's webhooks, which no page calls. */
const callable = allOperations.filter(({ policy }) => policy.access !== 'signature');
/** Browsers send this one without a preflight. */
const SAFELISTED = 'accept';

it('allows a page to send every header that an operation takes', () => {
  const allowed = namesIn(headers['access-control-allow-headers']);
  const taken = callable.flatMap(({ headers }) => Object.keys(headers?.shape ?? {}));
  expect(taken).toContain('if-match');
  expect(taken.filter((name) => name !== SAFELISTED && !allowed.has(name))).toEqual([]);
});

it('allows a page to read every header that an answer declares', () => {
  const exposed = namesIn(headers['access-control-expose-headers']);
  const given = callable.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  expect(given).toContain('X-Total-Count');
  expect(given.filter((name) => !exposed.has(name.toLowerCase()))).toEqual([]);
});
