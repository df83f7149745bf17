import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fleet, startFleet } from './fleet.ts';
import { type History, openHistory } from './history.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { createRandom, type Random } from './random.ts';
import { type AudioOrigin, startAudioOrigin } from './stand-ins/audio-origin.ts';
import { type Canaries, startCanaries } from './stand-ins/canaries.ts';
import { type DnsStandIn, startDnsStandIn } from './stand-ins/dns-stand-in.ts';
import { type MailSink, startMailSink } from './stand-ins/mail-sink.ts';
import { type S3StandIn, startS3StandIn } from './stand-ins/s3-stand-in.ts';
import {
  STRIPE_PRICE_SCALE,
  STRIPE_WEBHOOK_SECRET,
  type StripeStandIn,
  startStripeStandIn,
} from './stand-ins/stripe-stand-in.ts';
import { startWebhookSink, type WebhookSink } from './stand-ins/webhook-sink.ts';
import { createTenant, type Tenant } from './tenant.ts';
import { buildVariant, type Patch } from './variants/build-variant.ts';

/** An installation of the service in one folder, with stand-ins for every other system that it talks to. */
export type World = {
  seed: string;
  random: Random;
  folder: string;
  postgres: PostgresServer;
  webhooks: WebhookSink;
  origin: AudioOrigin;
  mail: MailSink;
  stripe: StripeStandIn;
  dns: DnsStandIn;
  canaries: Canaries;
  /** Null when audio is stored as files. */
  s3: S3StandIn | null;
  fleet: Fleet;
  history: History;
  tenants: [Tenant, ...Tenant[]];
  /** Must never appear in a log, a row, a delivery or a mail. */
  secrets: string[];
  close(): Promise<void>;
};

export type WorldOptions = {
  seed: string;
  patches: readonly Patch[];
  /** Code that runs in every process of the service before its own (build-variant.ts). */
  banner?: string;
  /** API processes; two by default. */
  serveCount?: number;
  /** Workers; two by default. */
  workCount?: number;
  tenantCount?: number;
  env?: Record<string, string>;
  /** The database URL for the services, when they do not connect directly. */
  databaseUrl?: (postgres: PostgresServer) => Promise<string>;
  /** The limit of open files and sockets of each process of the service. */
  descriptorsMax?: number;
  /** Stores audio in an S3 stand-in, which can be made to misbehave. */
  withS3?: boolean;
  /** A server on which to create the world's database, instead of starting one. */
  postgres?: PostgresServer;
  /** Called before anything starts; returns a function that undoes it. */
  prepare?: (folder: string) => Promise<() => Promise<void>>;
};

export async function createWorld(options: WorldOptions): Promise<World> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer().catch(() => {});
  };
  try {
    return { ...(await build(options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  options: WorldOptions,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<World, 'close'>> {
  const random = createRandom(options.seed);
  const folder = await mkdtemp(join(tmpdir(), 'earshot-fire-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  // The decoder runs as another user, who must be able to enter its folder below.
  await chmod(folder, 0o711);
  for (const name of ['data', 'tmp', 'logs', 'database']) await mkdir(join(folder, name));
  await chmod(join(folder, 'tmp'), 0o1777);

  if (options.prepare) closers.push(await options.prepare(folder));
  const postgres =
    (await options.postgres?.createDatabase(`world_${randomBytes(6).toString('hex')}`)) ??
    (await startPostgresServer(join(folder, 'database')));
  closers.push(() => postgres.stop());
  const webhooks = await startWebhookSink(random.fork('webhooks'));
  const origin = await startAudioOrigin(random.fork('origin'));
  const mail = await startMailSink();
  const stripe = await startStripeStandIn(random.fork('stripe'));
  const dns = await startDnsStandIn();
  const canaries = await startCanaries([webhooks.url, origin.url].map((url) => Number(new URL(url).port)));
  const s3 = options.withS3 ? await startS3StandIn(random.fork('s3')) : null;
  for (const sink of [webhooks, origin, mail, stripe, dns, canaries, ...(s3 ? [s3] : [])])
    closers.push(() => sink.close());

  const planted = plantSecrets();
  const program = await buildVariant(join(folder, 'service'), options.patches, options.banner);
  const databaseUrl = (await options.databaseUrl?.(postgres)) ?? postgres.url;
  const env = {
    ...serviceEnvironment(folder, planted, { mail, stripe, dns }),
    DATABASE_URL: databaseUrl,
    ...s3?.env,
    ...options.env,
  };
  const fleet = await startFleet({
    program,
    env,
    logFolder: join(folder, 'logs'),
    serveCount: options.serveCount ?? 2,
    workCount: options.workCount ?? 2,
    ...(options.descriptorsMax === undefined ? {} : { descriptorsMax: options.descriptorsMax }),
  });
  closers.push(() => fleet.stop());

  const history = openHistory(join(folder, 'history.jsonl'));
  closers.push(async () => history.close());
  // Every other tenant has a metered plan, so that its usage is reported to the payment provider.
  const addTenant = (index: number) =>
    createTenant({ fleet, mail, stripe, webhooks }, `tenant${index}`, { metered: index % 2 === 0 });
  const tenants: World['tenants'] = [await addTenant(0)];
  while (tenants.length < (options.tenantCount ?? 3)) tenants.push(await addTenant(tenants.length));
  const secrets = [
    ...Object.values(planted),
    ...tenants.flatMap(({ apiKey, sessionToken, webhookSecret, endpoint }) => [
      apiKey,
      sessionToken,
      webhookSecret,
      endpoint.secret,
    ]),
  ];
  const { seed } = options;
  const sinks = { webhooks, origin, mail, stripe, dns, canaries, s3 };
  return { seed, random, folder, postgres, ...sinks, fleet, history, tenants, secrets };
}

/** Long and random, so that none occurs by coincidence. */
function plantSecrets() {
  const marker = () => randomBytes(24).toString('hex');
  return {
    secretKey: marker(),
    stripeKey: `sk_test_${marker()}`,
    smtpPassword: marker(),
    stripeWebhookSecret: STRIPE_WEBHOOK_SECRET,
  };
}

function serviceEnvironment(
  folder: string,
  planted: ReturnType<typeof plantSecrets>,
  sinks: { mail: MailSink; stripe: StripeStandIn; dns: DnsStandIn },
): Record<string, string> {
  return {
    DATA_DIR: join(folder, 'data'),
    TMPDIR: join(folder, 'tmp'),
    HOST: '127.0.0.1',
    PORT: '0',
    SECRET_KEY: planted.secretKey,
    LOG_LEVEL: 'info',
    ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
    DNS_SERVERS: sinks.dns.server,
    REGISTRATIONS_PER_HOUR: '1000000',
    REQUESTS_PER_MINUTE: '10000000',
    DATABASE_CONNECTIONS_MAX: '8',
    STOP_GRACE_SECONDS: '5',
    // The machine runs everything at once, so delays do not mean that requests overload the service.
    SHED_LOOP_DELAY_MS: '60000',
    SHED_POOL_WAIT_MS: '60000',
    SMTP_URL: `smtp://mailer:${planted.smtpPassword}@127.0.0.1:${sinks.mail.port}`,
    STRIPE_SECRET_KEY: planted.stripeKey,
    STRIPE_WEBHOOK_SECRET: planted.stripeWebhookSecret,
    STRIPE_API_BASE: sinks.stripe.url,
    STRIPE_PRICE_PRO: 'price_pro',
    STRIPE_PRICE_SCALE: STRIPE_PRICE_SCALE,
  };
}
