import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyAndForward } from './forward.ts';
import { newSecret, signEvent } from './sign-event.ts';

const received: { headers: IncomingHttpHeaders; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ headers: request.headers, body });
  if (request.url === '/moved') response.writeHead(302, { location: '/hook' }).end();
  else response.writeHead(202).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
afterAll(() => server.close());

const secret = newSecret();
const body = '{"type":"analysis.completed","timestamp":"","data":{"job_id":"job_1"}}';
const headers = signEvent({ id: 'msg_1', body, secret, now: new Date() });

describe('verifyAndForward', () => {
  it('forwards a verified call byte for byte, and returns the status of its receiver', async () => {
    const { status, line } = await verifyAndForward({ headers, body }, secret, target);
    expect(status).toBe(202);
    expect(line).toBe(`analysis.completed job_1 verified, ${target} answered 202`);
    expect(received[0]?.body).toBe(body);
    expect(received[0]?.headers).toMatchObject(headers);
  });

  it('forwards no headers but those of the service', async () => {
    received.length = 0;
    const call = { headers: { ...headers, 'user-agent': 'Earshot' }, body };
    await verifyAndForward(call, secret, target);
    // What a tunnel or proxy on the way may add. `fetch` refuses the last two.
    const added = {
      authorization: 'Basic eDp5',
      cookie: 'a=b',
      'x-forwarded-for': '192.0.2.1',
      expect: '100-continue',
      'transfer-encoding': 'chunked',
    };
    await verifyAndForward({ headers: { ...call.headers, ...added }, body }, secret, target);
    expect(received[0]!.headers).toMatchObject(call.headers);
    expect(received[1]!.headers).toEqual(received[0]!.headers);
  });

  it('names the type of an event that is about no job', async () => {
    const test = '{"type":"webhook.test","timestamp":"","data":{}}';
    const signed = signEvent({ id: 'msg_2', body: test, secret, now: new Date() });
    expect(await verifyAndForward({ headers: signed, body: test }, secret, null)).toEqual({
      status: 204,
      line: 'webhook.test verified',
    });
  });

  it('does not forward a call that fails verification', async () => {
    received.length = 0;
    const { status, line } = await verifyAndForward({ headers, body: `${body} ` }, secret, target);
    expect([status, received.length]).toEqual([401, 0]);
    expect(line).toMatch(/^refused: /);
  });

  it('returns a redirect and does not follow it, as the service does not', async () => {
    received.length = 0;
    const { status, line } = await verifyAndForward(
      { headers, body },
      secret,
      target.replace('hook', 'moved'),
    );
    expect([status, received.length]).toEqual([302, 1]);
    expect(line).toMatch(/\/moved answered 302$/);
  });

  it.each([
    ['http://127.0.0.1:2/', /ECONNREFUSED/],
    // `fetch` refuses these two.
    ['http://127.0.0.1:9/', /bad port/],
    ['http://user:word@127.0.0.1/', /credentials/],
  ])('returns 502 when %s does not answer, so that the sender retries, and says why', async (url, reason) => {
    const { status, line } = await verifyAndForward({ headers, body }, secret, url);
    expect(status).toBe(502);
    expect(line).toContain(`verified, ${url} does not answer: `);
    expect(line).toMatch(reason);
  });
});
