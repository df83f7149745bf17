import { expect, test } from 'vitest';
import { makeApiKey } from '../api-keys/key-format.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, register } from '../test/test-app.ts';

const { db } = await createTestDatabase();
let nowMs = Date.parse('2026-03-01T12:00:00Z');
const app = await buildTestApp(db, { clock: () => new Date(nowMs) }, { FAILED_CREDENTIALS_PER_MINUTE: '20' });

const ask = (credential: string, ip: string) =>
  app.call('GET', '/v1/usage', { headers: { authorization: `Bearer ${credential}` }, ip });

test('an address is refused after twenty bad credentials until the next minute; other addresses are not', async () => {
  const statuses: number[] = [];
  for (let tries = 0; tries < 25; tries += 1) {
    const bad = tries % 2 === 0 ? makeApiKey() : `es_sess_${'x'.repeat(43)}`;
    statuses.push((await ask(bad, '203.0.113.5')).status);
  }
  expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
  const refused = await ask(makeApiKey(), '203.0.113.5');
  expect(refused.body.code).toBe('rate_limited');
  expect(refused.headers['retry-after']).toBe('60');
  expect(refused.headers['ratelimit-policy']).toBe('"failed-credentials";q=20;w=60');

  expect((await ask(makeApiKey(), '203.0.113.6')).status).toBe(401);
  nowMs += 60_000;
  expect((await ask(makeApiKey(), '203.0.113.5')).status).toBe(401);
});

test('a key accepted within the last fifteen minutes still passes from a refused address', async () => {
  const person = await register(app);
  expect((await ask(person.key, '203.0.113.9')).status).toBe(200);
  for (let tries = 0; tries < 25; tries += 1) await ask(makeApiKey(), '203.0.113.9');
  expect((await ask(makeApiKey(), '203.0.113.9')).status).toBe(429);
  expect((await ask(person.key, '203.0.113.9')).status).toBe(200);
  // The first of these calls renews the memory of the key.
  for (const [laterMs, status] of [
    [15 * 60_000 - 1, 200],
    [15 * 60_000, 429],
  ] as const) {
    nowMs += laterMs;
    for (let tries = 0; tries < 20; tries += 1) await ask(makeApiKey(), '203.0.113.9');
    expect((await ask(person.key, '203.0.113.9')).status).toBe(status);
  }
});
