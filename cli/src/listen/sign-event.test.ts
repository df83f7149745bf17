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

it.each([
  [newSecret(), true],
  ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true],
  ['whsec_MfKQ9r8=', true],
  ['my-secret', false],
  ['whsec_é', false],
  ['whsec_', false],
  ['', false],
])('%j is a valid secret: %j', (text, isValid) => {
  expect(isSecret(text)).toBe(isValid);
});
