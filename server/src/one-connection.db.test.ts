import { expect, it } from 'vitest';
import { addTestSong } from './library/test-songs.ts';
import { createTestDatabase } from './test/database.ts';
import { buildTestApp, signIn } from './test/test-app.ts';

/** Requests that hold a connection while they wait for a second one block each other for ever: here are two connections, and six requests. */
const CONNECTIONS = 2;
const AT_ONCE = 6;

const { db } = await createTestDatabase({ connectionsMax: CONNECTIONS });
const test = await buildTestApp(db, {}, { ALLOW_SANDBOX_PAYMENTS: 'true' });
const { headers, workspaceId } = await signIn(test);
const song = await addTestSong(db, workspaceId, { title: 'Evening' });

it.each<[string, string, object | undefined, number]>([
  ['a link to a report', `/v1/account/analyses/${song}/shares`, undefined, 201],
  ['tags for what is found', '/v1/analyses/bulk', bulk({ action: 'tag', tags: ['late'] }), 200],
  ['a table of what is found', '/v1/analyses/bulk', bulk({ action: 'export', format: 'csv' }), 200],
  ['a checkout', '/v1/billing/checkout-sessions', { plan: 'pro' }, 201],
  ['the portal', '/v1/billing/portal-sessions', undefined, 201],
])('%s needs only one connection', async (_what, path, body, status) => {
  const ask = () => test.call('POST', path, { headers, body });
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask));
  expect(answers.map((answer) => answer.status)).toEqual(Array(AT_ONCE).fill(status));
});

function bulk(action: object): object {
  return { query: { q: 'evening', compatible_with: song }, ...action };
}
