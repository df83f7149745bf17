import { once } from 'node:events';
import { connect } from 'node:net';
import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { receiveCalls } from './receive.ts';
import { newSecret, signEvent } from './sign-event.ts';

it('goes on after a caller that left in the middle of a body', async () => {
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
