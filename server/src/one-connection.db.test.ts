import { expect, it } from 'vitest';
import { addTestSong } from './library/test-songs.ts';
import { createTestDatabase } from './test/database.ts';
import { buildTestApp, signIn } from './test/test-app.ts';

/** If requests held a connection while waiting for a second one, these six would deadlock on two connections. */
const CONNECTION_COUNT = 2;
const REQUEST_COUNT = 6;

const { db } = await createTestDatabase({ connectionsMax: CONNECTION_COUNT });
const test = await buildTestApp(db, {}, { ALLOW_SANDBOX_PAYMENTS: 'true' });
const { headers, workspaceId } = await signIn(test);
const song = await addTestSong(db, workspaceId, { title: 'Evening' });

it.each<[string, string, object | undefined, number]>([
  ['a link to a report', `/v1/account/analyses/${song}/shares`, undefined, 201],
  ['tagging search results', '/v1/analyses/bulk', bulk({ action: 'tag', tags: ['late'] }), 200],
  ['exporting search results', '/v1/analyses/bulk', bulk({ action: 'export', format: 'csv' }), 200],
  ['a checkout', '/v1/billing/checkout-sessions', { plan: 'pro' }, 201],
  ['the portal', '/v1/billing/portal-sessions', undefined, 201],
])('%s needs only one connection', async (_what, path, body, status) => {
  const ask = () => test.call('POST', path, { headers, body });
  const answers = await Promise.all(Array.from({ length: REQUEST_COUNT }, ask));
  expect(answers.map((answer) => answer.status)).toEqual(Array(REQUEST_COUNT).fill(status));
});

function bulk(action: object): object {
  return { query: { q: 'evening', compatible_with: song }, ...action };
}
