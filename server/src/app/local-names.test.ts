import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { refuseForeignNames } from './local-names.ts';

it.each([
  ['studio.lan:8080', true],
  ['Studio.LAN:8080', true],
  ['LOCALHOST', true],
  ['other.lan:8080', false],
])('answers to the name of BASE_URL in any case: %s', async (host, isAnswered) => {
  const app = Fastify();
  refuseForeignNames(app, { local: true, baseUrl: 'http://Studio.lan:8080' });
  app.get('/', async () => 'here');
  const { body } = await app.inject({ url: '/', headers: { host } });
  expect(body === 'here').toBe(isAnswered);
});
