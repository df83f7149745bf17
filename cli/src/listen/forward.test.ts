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
  response.writeHead(202).end();
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

  it('does not forward a call that fails verification', async () => {
    const { status, line } = await verifyAndForward({ headers, body: `${body} ` }, secret, target);
    expect([status, received.length]).toEqual([401, 1]);
    expect(line).toMatch(/^refused: /);
  });

  it('returns 502 when the receiver cannot be reached, so that the sender retries', async () => {
    // `fetch` refuses to connect to port 9.
    expect((await verifyAndForward({ headers, body }, secret, 'http://127.0.0.1:9/')).status).toBe(502);
  });
});
