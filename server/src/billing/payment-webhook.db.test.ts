import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  createTestBilling,
  eventOf,
  nowSeconds,
  OLD_SECRET,
  type Sent,
  type SentEvent,
  sign,
} from './test-billing-service.ts';

/** Forged, malformed and valid requests to the payment webhook: the status of each, and that refused ones leave no trace. */

const { app, send, createCustomer, outcomeOf } = await createTestBilling();
await app.listen({ host: '127.0.0.1', port: 0 });

/** Builds a request from the JSON of a valid event. */
type Forgery = (payload: string) => Sent;

const header = (value: string | string[]): Record<string, string | string[]> => ({
  'stripe-signature': value,
});
const withHeader =
  (make: (payload: string) => string | string[]): Forgery =>
  (payload) => ({
    payload,
    headers: header(make(payload)),
  });
/** Signs the original body but sends a changed one. */
const changed =
  (change: (payload: string) => string | Buffer): Forgery =>
  (payload) => ({
    payload: change(payload),
    headers: header(sign(payload)),
  });
const paddedTo = (payload: string, byteCount: number) => payload.padEnd(byteCount, ' ');

const REFUSED: [string, number, Forgery][] = [
  ['forged signature', 400, withHeader(() => `t=${nowSeconds()},v1=${'0'.repeat(64)}`)],
  ['right signature, wrong secret', 400, withHeader((p) => sign(p, { secret: 'whsec_other' }))],
  ['secret of test mode on a live service', 400, withHeader((p) => sign(p, { secret: 'whsec_test_1' }))],
  ['v0 only', 400, withHeader((p) => sign(p).replace('v1=', 'v0='))],
  ['header missing', 400, (payload) => ({ payload, headers: {} })],
  ['header empty', 400, withHeader(() => '')],
  ['header twice', 400, withHeader((p) => [sign(p), sign(p)])],
  [
    'header with 64 characters that are not ASCII',
    400,
    withHeader(() => `t=${nowSeconds()},v1=${'é'.repeat(64)}`),
  ],
  ['header of 12 kB', 400, withHeader((p) => `${sign(p)},v1=${'a'.repeat(12_000)}`)],
  ['t missing', 400, withHeader((p) => sign(p).replace(/^t=\d+,/, ''))],
  ['t = 0', 400, withHeader((p) => sign(p, { timestamp: 0 }).replace(/^t=\d+/, 't=0'))],
  ['t = -1', 400, withHeader((p) => sign(p).replace(/^t=\d+/, 't=-1'))],
  ['t = NaN', 400, withHeader((p) => sign(p).replace(/^t=\d+/, 't=NaN'))],
  ['t = 2^63', 400, withHeader((p) => sign(p).replace(/^t=\d+/, 't=9223372036854775808'))],
  ['stale by 301 s', 400, withHeader((p) => sign(p, { timestamp: nowSeconds() - 301 }))],
  // Two seconds are added, because the clock moves towards this time until the request is handled.
  ['from the future by 301 s', 400, withHeader((p) => sign(p, { timestamp: nowSeconds() + 303 }))],
  ['body re-serialized with another key order', 400, changed((p) => JSON.stringify(reversed(JSON.parse(p))))],
  ['body with other whitespace', 400, changed((p) => JSON.stringify(JSON.parse(p), null, 2))],
  ['body with CRLF', 400, changed((p) => `${p}\r\n`)],
  ['body with a byte order mark', 400, changed((p) => `\ufeff${p}`)],
  ['body with a trailing newline', 400, changed((p) => `${p}\n`)],
  [
    'gzip body, signed before compression',
    415,
    (payload) => ({
      payload: gzipSync(payload),
      headers: { ...header(sign(payload)), 'content-encoding': 'gzip' },
    }),
  ],
  [
    'body of 256 KiB and one byte',
    413,
    (payload) => {
      const long = paddedTo(payload, 262_145);
      return { payload: long, headers: header(sign(long)) };
    },
  ],
  [
    'right signature, invalid JSON',
    400,
    (payload) => {
      const broken = payload.slice(0, -1);
      return { payload: broken, headers: header(sign(broken)) };
    },
  ],
  ['right signature, JSON that is not an event', 400, signedAgain(() => [])],
  ['livemode of the other mode', 400, signedAgain((event) => ({ ...event, livemode: false }))],
  ['event of a connected account', 400, signedAgain((event) => ({ ...event, account: 'acct_other' }))],
];

function reversed(event: object): object {
  return Object.fromEntries(Object.entries(event).reverse());
}

/** A valid signature over a changed event. */
function signedAgain(change: (event: SentEvent) => object): Forgery {
  return (payload) => {
    const other = JSON.stringify(change(JSON.parse(payload)));
    return { payload: other, headers: header(sign(other)) };
  };
}

describe('refused, without a trace', () => {
  it.each(REFUSED)('%s: %d', async (_, status, forge) => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    const answer = await send(forge(JSON.stringify(event)));
    expect(answer).toMatchObject({
      status,
      body: { code: expect.stringMatching(/^(bad_|payload_|unsupported_)/) },
    });
    expect([await outcomeOf(event.id), await customer.plan()]).toEqual([null, 'free']);
    expect(await customer.traces()).toEqual({ auditCount: 0, ledger: [] });
  });

  it('a header of 1 MiB, by the HTTP parser', async () => {
    const { port } = app.server.address() as { port: number };
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
      // The server may reset the connection while we are still writing.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
      });
      socket.write(
        `POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nStripe-Signature: ${'a'.repeat(2 ** 20)}\r\n\r\n`,
      );
    });
    expect(answer.slice(0, 12)).toBe('HTTP/1.1 431');
  });
});

const ACCEPTED: [string, Forgery][] = [
  ['298 s old', withHeader((p) => sign(p, { timestamp: nowSeconds() - 298 }))],
  [
    'two v1, one of them right',
    withHeader((p) => `${sign(p, { secret: 'whsec_other' })},v1=${sign(p).split('v1=')[1]}`),
  ],
  ['signed with the secret that is being replaced', withHeader((p) => sign(p, { secret: OLD_SECRET }))],
  [
    'under another content type',
    (payload) => ({ payload, headers: { ...header(sign(payload)), 'content-type': 'text/plain' } }),
  ],
  [
    'a body of 256 KiB',
    (payload) => {
      const long = paddedTo(payload, 262_144);
      return { payload: long, headers: header(sign(long)) };
    },
  ],
];

describe('accepted', () => {
  it.each(ACCEPTED)('%s', async (_, make) => {
    const customer = await createCustomer();
    const event = eventOf('customer.subscription.created', customer.subscription());
    const answer = await send(make(JSON.stringify(event)));
    expect(answer).toEqual({ status: 200, body: { accepted: true, event_type: event.type } });
    expect([await outcomeOf(event.id), await customer.plan()]).toEqual(['applied', 'pro']);
  });
});
