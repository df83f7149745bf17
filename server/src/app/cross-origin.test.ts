import { allOperations } from '@earshot/contract';
import fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { createCrossOriginHeaders } from './cross-origin.ts';

const app = fastify();
afterAll(() => app.close());
for (const [url, allowedOrigins] of [
  ['/one', ['https://app.example.com']],
  ['/every', ['*']],
  ['/none', []],
] as const) {
  const crossOrigin = createCrossOriginHeaders(allowedOrigins);
  app.options(url, async (request, reply) => {
    crossOrigin.add(request, reply);
    crossOrigin.addPreflight(request, reply, 'PUT');
    return '';
  });
}
const preflight = async (url: string, origin = 'https://app.example.com') => {
  const given = { origin, 'access-control-request-method': 'PUT' };
  return (await app.inject({ method: 'OPTIONS', url, headers: given })).headers;
};
const headers = await preflight('/one');
const namesIn = (list: unknown) => new Set(String(list).toLowerCase().split(', '));

/** All operations but the payment provider's webhooks, which no page calls. */
const callable = allOperations.filter(({ policy }) => policy.access !== 'signature');
/** Browsers send this one without a preflight. */
const SAFELISTED = 'accept';

it.each([
  ['an allowed origin', '/one', 'https://app.example.com', 'https://app.example.com', 'Origin'],
  ['another origin', '/one', 'https://evil.example.com', undefined, 'Origin'],
  [
    'any origin where all are allowed',
    '/every',
    'https://evil.example.com',
    'https://evil.example.com',
    'Origin',
  ],
  ['an origin where none is allowed', '/none', 'https://app.example.com', undefined, undefined],
])(
  'of %s the answer names only what it allows, and caches tell origins apart',
  async (_, url, origin, allowed, vary) => {
    const answered = await preflight(url, origin);
    expect([answered['access-control-allow-origin'], answered.vary]).toEqual([allowed, vary]);
    expect(answered['access-control-allow-methods']).toBe(allowed && 'PUT');
    expect(answered['cross-origin-resource-policy']).toBe(allowed && 'cross-origin');
  },
);

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
