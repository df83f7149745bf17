import { expect, it } from 'vitest';
import { isSecret, newSecret, signEvent } from './sign-event.ts';

it('reproduces the published signature of Standard Webhooks', () => {
  const signed = signEvent({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    now: new Date(1_614_265_330_999),
  });
  expect(signed).toEqual({
    'content-type': 'application/json',
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('makes secrets of 24 random bytes, the fewest that Standard Webhooks allows', () => {
  const secret = newSecret();
  // 32 characters of base64 are 24 bytes.
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect(newSecret()).not.toBe(secret);
});

it.each([
  ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true],
  ['whsec_MfKQ9r8=', true],
  ['my-secret', false],
  ['whsec_é', false],
  ['whsec_', false],
  ['', false],
])('%j is a valid secret: %j', (text, isValid) => {
  expect(isSecret(text)).toBe(isValid);
});
