import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { isSignedEvent, signEvent } from './event-signature.ts';

const now = new Date('2026-03-10T12:00:00Z');
const nowSeconds = now.getTime() / 1000;
const secret = 'whsec_test_secret';
const body = Buffer.from('{"id":"evt_1","object":"event"}');
const stripe = new Stripe('sk_test_unused');
const byStripe = (unixSeconds: number, key = secret) =>
  stripe.webhooks.generateTestHeaderString({ payload: body.toString(), secret: key, timestamp: unixSeconds });
/** The signature is valid for any text as timestamp, so that only the timestamp can be the reason for a refusal. */
const byHand = (timestamp: string) =>
  `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;

describe('event signature', () => {
  it("accepts what Stripe's own package signs, and Stripe's package accepts ours", () => {
    expect(isSignedEvent([secret], body, byStripe(nowSeconds), now)).toBe(true);
    const header = signEvent(secret, body, new Date());
    expect(stripe.webhooks.constructEvent(body, header, secret).id).toBe('evt_1');
  });

  it.each([
    ['300 s old', byStripe(nowSeconds - 300), true],
    ['300 s ahead', byStripe(nowSeconds + 300), true],
    ['whole seconds, signed by node:crypto', byHand(`${nowSeconds}`), true],
    ['a fraction of a second, signed by node:crypto', byHand(`${nowSeconds}.5`), false],
    ['2,000 characters', `${byStripe(nowSeconds)},x=`.padEnd(2_000, 'a'), true],
    ['2,001 characters', `${byStripe(nowSeconds)},x=`.padEnd(2_001, 'a'), false],
    ['301 s old', byStripe(nowSeconds - 301), false],
    ['301 s ahead', byStripe(nowSeconds + 301), false],
    ['another secret', byStripe(nowSeconds, 'whsec_other'), false],
    [
      'two signatures, one right',
      `${byStripe(nowSeconds, 'whsec_other')},v1=${byStripe(nowSeconds).split('v1=')[1]}`,
      true,
    ],
    ['the header twice, as Node joins it', `${byStripe(nowSeconds)}, ${byStripe(nowSeconds)}`, false],
    ['only v0', byStripe(nowSeconds).replace('v1=', 'v0='), false],
    ['no timestamp', byStripe(nowSeconds).replace(/^t=\d+,/, ''), false],
    ['timestamp 0', byHand('0'), false],
    ['timestamp -1', byHand('-1'), false],
    ['timestamp NaN', byHand('NaN'), false],
    ['timestamp 2^63', byHand('9223372036854775808'), false],
    ['64 characters that are not ASCII', `t=${nowSeconds},v1=${'é'.repeat(64)}`, false],
    ['64 characters that are not hex', `t=${nowSeconds},v1=${'z'.repeat(64)}`, false],
    ['empty', '', false],
    ['1 MB', `t=${nowSeconds},v1=${'a'.repeat(1_000_000)}`, false],
    ['missing', null, false],
  ])('%s', (_, header, expected) => {
    expect(isSignedEvent([secret], body, header, now)).toBe(expected);
  });

  it.each([
    ['key order', Buffer.from('{"object":"event","id":"evt_1"}')],
    ['whitespace', Buffer.from('{"id": "evt_1","object":"event"}')],
    ['trailing newline', Buffer.concat([body, Buffer.from('\n')])],
    ['byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])],
  ])('a body with another %s is refused', (_, changed) => {
    expect(isSignedEvent([secret], changed, byStripe(nowSeconds), now)).toBe(false);
  });

  it('accepts both secrets while one replaces the other', () => {
    expect(isSignedEvent(['whsec_new', secret], body, byStripe(nowSeconds), now)).toBe(true);
  });
});
