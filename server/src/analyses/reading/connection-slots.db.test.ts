import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isQueryBlocked } from '../../test/blocked-query.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestApp, signIn } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { createConnectionSlots } from './connection-slots.ts';

const { db } = await createTestDatabase();
const connectionSlots = createConnectionSlots({ perWorkspaceMax: 1, perProcessMax: 10 });
const test = await buildTestApp(db, { connectionSlots });
await test.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = test.app.server.address() as AddressInfo;
const connections = promisify(test.app.server.getConnections.bind(test.app.server));
const { headers } = await signIn(test);

it('releases the slot of an event stream whose client disconnected before it was open', async () => {
  const source = { source_url: 'http://127.0.0.1:9/song.wav' };
  const { body } = await test.call('POST', '/v1/analyses', { headers, body: source });
  const path = `/v1/analyses/${body.id}/events`;
  const accept = 'text/event-stream';

  await db.transaction(async (tx) => {
    await tx.query('lock table analysis_events in access exclusive mode');
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${headers.authorization}\r\naccept: ${accept}\r\n\r\n`,
    );
    await until(() => isQueryBlocked(db), 'the request waits for the events');
    socket.destroy();
    await until(async () => (await connections()) === 0, 'the service has noticed the disconnection');
  });
  await until(async () => !(await isQueryBlocked(db)), 'the request continues');

  const leave = new AbortController();
  const stream = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...headers, accept },
    signal: leave.signal,
  });
  expect(stream.status).toBe(200);
  leave.abort();
});
