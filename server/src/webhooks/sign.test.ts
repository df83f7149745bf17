import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSigningSecret, signWebhook } from './sign.ts';

describe('signWebhook', () => {
  it('reproduces the published Standard Webhooks vector', () => {
    const signature = signWebhook({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1614265330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is accepted by the public library with either secret while a rotation overlaps', () => {
    const [newer, older] = [newSigningSecret(), newSigningSecret()];
    const body = '{"type":"analysis.completed","data":{"title":"Für Elise"}}';
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'whd_1',
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signWebhook({ id: 'whd_1', timestampSeconds, body, secrets: [newer, older] }),
    };
    expect(new Webhook(newer).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(older).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow();
    expect(() => new Webhook(newer).verify(`${body} `, headers)).toThrow();
  });

  it('makes secrets of 256 random bits', () => {
    const secret = newSigningSecret();
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(newSigningSecret()).not.toBe(secret);
  });
});
