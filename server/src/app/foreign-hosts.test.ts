import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { refuseForeignHosts } from './foreign-hosts.ts';

it.each([
  ['studio.lan:8080', true],
  ['Studio.LAN:8080', true],
  ['LOCALHOST', true],
  ['other.lan:8080', false],
  ['localhost:1', true],
  ['app.localhost', true],
  ['127.1.2.3:8080', true],
  ['[::1]:8080', true],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
])('a local service serves only the host of BASE_URL and the loopback: %s', async (host, isServed) => {
  const app = Fastify();
  refuseForeignHosts(app, { local: true, baseUrl: 'http://Studio.lan:8080' });
  app.get('/', async () => 'here');
  const { body } = await app.inject({ url: '/', headers: { host } });
  expect(body === 'here').toBe(isServed);
});

it('a public service serves every host', async () => {
  const app = Fastify();
  refuseForeignHosts(app, { local: false, baseUrl: 'https://earshot.example' });
  app.get('/', async () => 'here');
  expect((await app.inject({ url: '/', headers: { host: 'other.example' } })).body).toBe('here');
});
