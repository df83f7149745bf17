import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { receiveCalls } from './receive.ts';
import { newSecret, signEvent } from './sign-event.ts';

/** A call of which the receiver has the head and part of the body. */
async function beginCall(url: string): Promise<Socket> {
  const caller = connect(Number(new URL(url).port), '127.0.0.1');
  caller.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\nhalf');
  await once(caller, 'data');
  return caller;
}

it('survives a caller that hangs up during the body', async () => {
  const secret = newSecret();
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    fetch: async () => Response.json({ id: 'whe_1', signing_secret: secret }),
  });
  const lines: string[] = [];
  const receiver = await receiveCalls(earshot, { port: 0, publicUrl: null, forwardTo: null }, (line) =>
    lines.push(line),
  );
  const leaving = await beginCall(receiver.url);
  leaving.destroy();
  await once(leaving, 'close');
  const body = '{"type":"analysis.completed","timestamp":"","data":{"job_id":"job_1"}}';
  const headers = signEvent({ id: 'msg_1', body, secret, now: new Date() });
  const { status } = await fetch(receiver.url, { method: 'POST', headers, body });
  expect([status, lines]).toEqual([204, ['analysis.completed job_1 verified']]);
  await receiver.stop();
});

it('holds a call that arrives before the secret is known, and then verifies it', async () => {
  const secret = newSecret();
  let answered: Promise<IncomingMessage[]> | null = null;
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    fetch: async (_, init) => {
      const body = '{"type":"analysis.completed","timestamp":"","data":{"job_id":"job_1"}}';
      if (init?.method === 'POST') {
        const { url } = JSON.parse(String(init.body)) as { url: string };
        const headers = signEvent({ id: 'msg_1', body, secret, now: new Date() });
        const early = request(url, { method: 'POST', headers });
        answered = once(early, 'response');
        early.end(body);
        await once(early, 'finish');
        // Once the receiver answers a later caller, it has read this call.
        (await beginCall(url)).destroy();
      }
      return Response.json({ id: 'whe_1', signing_secret: secret });
    },
  });
  const receiver = await receiveCalls(earshot, { port: 0, publicUrl: null, forwardTo: null }, () => {});
  const [answer] = await answered!;
  expect(answer!.statusCode).toBe(204);
  await receiver.stop();
});

it.each([
  [1_000_000, 401],
  [1_000_001, 413],
])('answers a call of %i bytes with %i, without a signature', async (sizeBytes, expected) => {
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    fetch: async () => Response.json({ id: 'whe_1', signing_secret: newSecret() }),
  });
  const receiver = await receiveCalls(earshot, { port: 0, publicUrl: null, forwardTo: null }, () => {});
  const { status } = await fetch(receiver.url, { method: 'POST', body: Buffer.alloc(sizeBytes) });
  expect(status).toBe(expected);
  await receiver.stop();
});

it('closes its port even when deleting the endpoint fails', async () => {
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    fetch: async (_, init) =>
      init?.method === 'POST'
        ? Response.json({ id: 'whe_1', signing_secret: newSecret() })
        : Response.json({ detail: 'Gone.', code: 'not_found' }, { status: 404 }),
  });
  const receiver = await receiveCalls(earshot, { port: 0, publicUrl: null, forwardTo: null }, () => {});
  await expect(receiver.stop()).rejects.toThrow('Gone.');
  await expect(fetch(receiver.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
