import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStatementCounter, type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

const STARTUP = message('', '....user.earshot');
const QUERY = message('Q', 'select 1');

it('counts simple and extended statements, wherever the stream is split', () => {
  const bytes = Buffer.concat([
    STARTUP,
    message('Q', 'begin'),
    ...['P', 'B', 'D', 'E', 'S'].map((type) => message(type, 'xyz')),
    message('Q', 'commit'),
  ]);
  for (const chunkBytes of [1, 3, 7, 1000]) {
    const count = createStatementCounter();
    let statementCount = 0;
    for (let startByte = 0; startByte < bytes.length; startByte += chunkBytes)
      statementCount += count(bytes.subarray(startByte, startByte + chunkBytes));
    expect(statementCount).toBe(3);
  }
});

it('counts each use of a prepared statement, which is parsed only at the first', () => {
  const count = createStatementCounter();
  count(STARTUP);
  const [first, second] = [
    ['P', 'B', 'D', 'E', 'S'],
    ['B', 'D', 'E', 'S'],
  ].map((types) => count(Buffer.concat(types.map((type) => message(type, 'xyz')))));
  expect([first, second]).toEqual([1, 1]);
});

const folder = mkdtempSync(join(tmpdir(), 'earshot-proxy-'));
/** The bytes that have arrived at the database, of all connections. It answers each chunk with "done". */
let received = Buffer.alloc(0);
const database = createServer((socket) => {
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    socket.write('done');
  });
  socket.on('error', () => {});
});
let proxy: DatabaseProxy;
beforeAll(async () => {
  await new Promise<void>((resolve) => database.listen(join(folder, 'socket'), resolve));
  proxy = await startDatabaseProxy(join(folder, 'socket'));
});
afterAll(async () => {
  await proxy.close();
  await new Promise((resolve) => database.close(resolve));
  rmSync(folder, { recursive: true });
});

function openClient(): { socket: Socket; closed: Promise<unknown>; answer(): Promise<string> } {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => {});
  return {
    socket,
    closed: new Promise((resolve) => socket.once('close', resolve)),
    answer: () => new Promise((resolve) => socket.once('data', (bytes) => resolve(bytes.toString()))),
  };
}

/** A client that has sent its startup message and received the answer. */
async function connectClient() {
  const client = openClient();
  client.socket.write(STARTUP);
  expect(await client.answer()).toBe('done');
  received = Buffer.alloc(0);
  return client;
}

it('passes statements on until the n-th, which never arrives in the mode `before`', async () => {
  const client = await connectClient();
  const cut = proxy.cutStatement(2, 'before');
  client.socket.write(QUERY);
  expect(await client.answer()).toBe('done');
  expect(cut.done()).toBe(false);
  client.socket.write(QUERY);
  await client.closed;
  expect(cut.done()).toBe(true);
  expect(received).toEqual(QUERY);
});

it('executes the statement and loses its answer in the mode `after`', async () => {
  const client = await connectClient();
  const cut = proxy.cutStatement(1, 'after');
  let answered = false;
  client.socket.once('data', () => {
    answered = true;
  });
  client.socket.write(QUERY);
  await client.closed;
  expect([cut.done(), answered]).toEqual([true, false]);
  expect(received).toEqual(QUERY);
});

it('cuts nothing once disarmed', async () => {
  const client = await connectClient();
  const cut = proxy.cutStatement(1, 'before');
  proxy.disarm();
  client.socket.write(QUERY);
  expect(await client.answer()).toBe('done');
  expect(cut.done()).toBe(false);
  client.socket.destroy();
});

it('delays statements and keeps their order when the delay ends', async () => {
  const client = await connectClient();
  proxy.setDelay(100);
  const startedMs = performance.now();
  client.socket.write(QUERY);
  const answer = client.answer();
  // Nothing shows that the proxy has received a statement that it delays: a fifth of the delay is time enough.
  await new Promise((resolve) => setTimeout(resolve, 20));
  proxy.setDelay(0);
  client.socket.write(message('Q', 'select 2'));
  await answer;
  // Timers fire up to a millisecond early.
  expect(performance.now() - startedMs).toBeGreaterThan(98);
  await expect.poll(() => received).toEqual(Buffer.concat([QUERY, message('Q', 'select 2')]));
  client.socket.destroy();
});

it('delays a long statement once, however many chunks it has', async () => {
  const client = await connectClient();
  proxy.setDelay(200);
  const statement = message('Q', 'x'.repeat(1_000_000));
  const startedMs = performance.now();
  client.socket.write(statement);
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(statement.length);
  // It has 16 chunks of 64 KB or more: delayed one after the other, they would take over 3 s. One second is for a busy machine.
  expect(performance.now() - startedMs).toBeLessThan(1200);
  proxy.setDelay(0);
  client.socket.destroy();
});

it('breaks all connections and refuses new ones while away', async () => {
  const client = await connectClient();
  proxy.setAway(true);
  await client.closed;
  await openClient().closed;
  proxy.setAway(false);
  (await connectClient()).socket.destroy();
});
