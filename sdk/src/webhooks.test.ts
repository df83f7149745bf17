import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"test": 2432232314}';
const MISMATCH = 'No signature of the webhook matches its body and this secret';
const BAD_TIME = 'The timestamp of the webhook is invalid or more than five minutes off';
const NO_ID = 'The webhook has no header webhook-id';
const sentAt = new Date(1_614_265_330_000);
/** The published test vector of Standard Webhooks. */
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('verifyWebhook', () => {
  it('accepts the published vector, as plain headers and as Headers', async () => {
    expect(await verifyWebhook(body, headers, secret, sentAt)).toEqual({ test: 2432232314 });
    expect(await verifyWebhook(body, new Headers(headers), secret, sentAt)).toEqual({ test: 2432232314 });
  });

  it('accepts what the reference package signs', async () => {
    const signature = new Webhook(secret).sign('msg_1', sentAt, body);
    const signed = { ...headers, 'webhook-id': 'msg_1', 'webhook-signature': `v1,AAAA ${signature}` };
    expect(await verifyWebhook(body, signed, secret, sentAt)).toEqual({ test: 2432232314 });
  });

  it('accepts a secret without its prefix, and a delivery five minutes late or early', async () => {
    const bare = secret.replace('whsec_', '');
    for (const offMs of [-300_000, 0, 300_000]) {
      const now = new Date(sentAt.getTime() + offMs);
      expect(await verifyWebhook(body, headers, bare, now)).toEqual({ test: 2432232314 });
    }
  });

  it('reads headers in any case', async () => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'Webhook'), value]),
    );
    expect(await verifyWebhook(body, given, secret, sentAt)).toEqual({ test: 2432232314 });
  });

  it.each(['', 'whsec_'])('refuses an empty secret, with which anyone could sign: "%s"', async (empty) => {
    await expect(verifyWebhook(body, headers, empty, sentAt)).rejects.toThrow(
      new WebhookVerificationError('The secret is empty'),
    );
  });

  it('gives the cause if a secret is not base64', async () => {
    const error = await verifyWebhook(body, headers, 'whsec_é', sentAt).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      name: 'WebhookVerificationError',
      cause: { name: 'InvalidCharacterError' },
    });
  });

  it.each([
    ['another body', `${body} `, headers, secret, sentAt, MISMATCH],
    ['another secret', body, headers, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', sentAt, MISMATCH],
    ['301 s late', body, headers, secret, new Date(sentAt.getTime() + 301_000), BAD_TIME],
    ['301 s early', body, headers, secret, new Date(sentAt.getTime() - 301_000), BAD_TIME],
    ['no signature', body, { ...headers, 'webhook-signature': '' }, secret, sentAt, MISMATCH],
    [
      'another version',
      body,
      { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', 'v0') },
      secret,
      sentAt,
      MISMATCH,
    ],
    ['two ids', body, { ...headers, 'webhook-id': [headers['webhook-id'], 'x'] }, secret, sentAt, NO_ID],
    ['an invalid timestamp', body, { ...headers, 'webhook-timestamp': 'today' }, secret, sentAt, BAD_TIME],
    ['no id', body, { ...headers, 'webhook-id': undefined }, secret, sentAt, NO_ID],
    ['no headers', body, {}, secret, sentAt, NO_ID],
    [
      'a signature that is not base64',
      body,
      { ...headers, 'webhook-signature': 'v1,é' },
      secret,
      sentAt,
      'The secret or a signature is not base64',
    ],
  ])('refuses %s, and says why', async (_, text, given, key, now, message) => {
    const refusal = new WebhookVerificationError(message);
    await expect(verifyWebhook(text, given, key, now)).rejects.toThrow(refusal);
  });
});
