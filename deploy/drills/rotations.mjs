/** Replaces every secret as docs/operations.md says; where a request can show it, the old one must be refused. */
import { randomBytes } from 'node:crypto';
import { expect } from '../expect.mjs';
import { post, readJson, register } from '../requests.mjs';
import { until } from '../until.mjs';
import {
  API_PORTS,
  databaseUrl,
  LOOPBACK,
  MAIL_PORT,
  RECEIVER_PORT,
  SANDBOX_PORT,
  urlOf,
} from './addresses.mjs';
import { expectEventStatus, expectPurchase } from './billing.mjs';
import { metricsPortOf } from './service.mjs';

const WORKERS = ['work-1', 'work-2'];

export const makeSecret = () => randomBytes(24).toString('hex');

/** In the order in which they are drilled. */
export const ROTATIONS = {
  async SECRET_KEY({ service, traffic, log }) {
    const [before, after] = [service.env.SECRET_KEY, makeSecret()];
    await service.change({ SECRET_KEY_SECOND: after });
    await service.change({ SECRET_KEY: after, SECRET_KEY_SECOND: before });
    log(`  ${service.command('reseal')}`);
    await service.change({ SECRET_KEY_SECOND: '' });
    await traffic.acceptMore(2);
  },

  async 'database password'({ service, traffic, admin }) {
    await admin.query(`create role earshot_b login password 'second' in role earshot_owner`);
    await admin.query('alter role earshot_b set role = earshot_owner');
    await service.change({ DATABASE_URL: databaseUrl('earshot_b', 'second') });
    await admin.query('drop role earshot_a');
    await traffic.acceptMore(2);
  },

  async 'S3 key'({ service, traffic }) {
    await service.change({
      S3_ACCESS_KEY_ID: 'earshot:second',
      S3_SECRET_ACCESS_KEY: `${service.env.S3_SECRET_ACCESS_KEY}2`,
    });
    await traffic.acceptMore(2);
  },

  async 'SMTP password'({ service, outside }) {
    outside.smtpPasswords.add('smtp-2');
    await service.change({ SMTP_URL: `smtp://earshot:smtp-2@${LOOPBACK}:${MAIL_PORT}` }, WORKERS);
    outside.smtpPasswords.delete('smtp-1');
    await expectMail(outside, 'rotated@example.com');
  },

  async 'Stripe keys'({ service }) {
    const both = ['whsec_1', 'whsec_2'];
    await expectEventStatus(both, 200);
    await service.change({ STRIPE_WEBHOOK_SECRET: 'whsec_2', STRIPE_SECRET_KEY: 'sk_test_2' });
    await expectEventStatus(both, 200);
    await expectEventStatus(['whsec_2'], 200);
    await expectEventStatus(['whsec_1'], 400);
    await register(urlOf(API_PORTS[0]), 'stripe@example.com');
  },

  async METRICS_TOKEN({ service }) {
    const before = service.env.METRICS_TOKEN;
    await service.change({ METRICS_TOKEN: makeSecret() });
    const status = async (token) =>
      (
        await fetch(urlOf(metricsPortOf('api', 1), '/metrics'), {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect([await status(before), await status(service.env.METRICS_TOKEN)], [401, 200]);
  },

  async ACOUSTID_API_KEY({ service, outside, customer }) {
    await expectLookup(outside, customer, 'acoustid-1');
    outside.acoustidKeys.add('acoustid-2');
    await service.change({ ACOUSTID_API_KEY: 'acoustid-2' }, WORKERS);
    outside.acoustidKeys.delete('acoustid-1');
    await expectLookup(outside, customer, 'acoustid-2');
  },

  async PAYMENT_WEBHOOK_SECRET({ service, admin }) {
    await admin.query('create database earshot_sandbox owner earshot_owner');
    const sandbox = {
      DATABASE_URL: service.env.DATABASE_URL.replace(/earshot$/, 'earshot_sandbox'),
      STRIPE_SECRET_KEY: '',
      STRIPE_WEBHOOK_SECRET: '',
      STRIPE_API_BASE: '',
      ALLOW_DEV_CODES: 'true',
      ALLOW_SANDBOX_PAYMENTS: 'true',
      SMTP_URL: '',
    };
    await service.start('api-3', { ...sandbox, PAYMENT_WEBHOOK_SECRET: 'sandbox-1' });
    await expectPurchase('pro');
    await expectEventStatus(['sandbox-1'], 200, SANDBOX_PORT);
    await service.stop('api-3');
    await service.start('api-3', { ...sandbox, PAYMENT_WEBHOOK_SECRET: 'sandbox-2' });
    await expectPurchase('scale');
    await expectEventStatus(['sandbox-2'], 200, SANDBOX_PORT);
    await expectEventStatus(['sandbox-1'], 400, SANDBOX_PORT);
    await service.stop('api-3');
  },

  async 'webhook secret of a customer'({ customer, traffic }) {
    const endpoint = await customer.post('/v1/webhook-signing-secret/rotate', {});
    customer.secrets.push(endpoint.signing_secret);
    await traffic.acceptMore(2);
  },
};

async function expectMail({ mails }, address) {
  await readJson(await post(urlOf(API_PORTS[0], '/v1/auth/email/start'), { email: address }));
  await until(() => mails.includes(address), `a mail to ${address}`);
}

/** Expects an analysis to ask AcoustID with this key. */
async function expectLookup({ lookups }, customer, key) {
  const before = lookups.length;
  const source = { source_url: urlOf(RECEIVER_PORT, '/song.wav'), enrich: ['acoustid'] };
  const { id } = await customer.post('/v1/analyses', source);
  await until(
    async () => (await customer.get(`/v1/analyses/${id}`)).status === 'completed',
    'the analysis with a look-up',
  );
  expect([...new Set(lookups.slice(before))], [`${key}: known`]);
}
