import { once } from 'node:events';
import { connect } from 'node:net';
import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { receiveCalls } from './receive.ts';
import { newSecret, signEvent } from './sign-event.ts';

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
  const leaving = connect(Number(new URL(receiver.url).port), '127.0.0.1');
  leaving.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\nhalf');
  await once(leaving, 'data');
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
  let early: Promise<Response> | null = null;
  const earshot = new Earshot({
    apiKey: 'es_live_secret',
    baseUrl: 'https://service.test',
    fetch: async (_, init) => {
      const body = '{"type":"analysis.completed","timestamp":"","data":{"job_id":"job_1"}}';
      if (init?.method === 'POST') {
        const { url } = JSON.parse(String(init.body)) as { url: string };
        const headers = signEvent({ id: 'msg_1', body, secret, now: new Date() });
        early = fetch(url, { method: 'POST', headers, body });
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return Response.json({ id: 'whe_1', signing_secret: secret });
    },
  });
  const receiver = await receiveCalls(earshot, { port: 0, publicUrl: null, forwardTo: null }, () => {});
  expect((await early!).status).toBe(204);
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
  await expect(fetch(receiver.url)).rejects.toThrow();
});
