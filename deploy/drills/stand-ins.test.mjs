import { expect, it } from 'vitest';
import { isSigned } from './stand-ins.mjs';

// The example of the Standard Webhooks specification.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const WEBHOOK = {
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: '{"test": 2432232314}',
};

it('accepts a webhook that is signed with any of the secrets', () => {
  expect(isSigned(WEBHOOK, ['whsec_b3RoZXI=', SECRET])).toBe(true);
  const rotating = {
    ...WEBHOOK.headers,
    'webhook-signature': `v1,other ${WEBHOOK.headers['webhook-signature']}`,
  };
  expect(isSigned({ ...WEBHOOK, headers: rotating }, [SECRET])).toBe(true);
});

it('refuses another secret, and a change of body, id or time', () => {
  expect(isSigned(WEBHOOK, ['whsec_b3RoZXI='])).toBe(false);
  expect(isSigned({ ...WEBHOOK, body: '{"test": 2432232315}' }, [SECRET])).toBe(false);
  for (const name of ['webhook-id', 'webhook-timestamp'])
    expect(isSigned({ ...WEBHOOK, headers: { ...WEBHOOK.headers, [name]: '1' } }, [SECRET])).toBe(false);
});
