import { resolve } from 'node:path';
import { SANDBOX_WALLS } from '@earshot/decode';
import { type Environment, EnvironmentReader } from './platform/environment.ts';
import { KEY_CHARACTERS_MIN } from './platform/secret-key.ts';
import type { TracingConfig } from './platform/tracing.ts';

/** All settings of the service, validated. .env.example explains each of them and its default. */
export type Config = ReturnType<typeof readConfig>;

export type S3Config = NonNullable<ReturnType<typeof readS3>>;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Reads the whole environment; throws one ConfigError that lists every problem. `secretKeyOf` supplies the key from the data directory
 * when SECRET_KEY is not set.
 */
export function readConfig(env: Environment, secretKeyOf: (dataDir: string) => string) {
  const read = new EnvironmentReader(env);
  const production = env.NODE_ENV === 'production';
  const dataDir = resolve(read.text('DATA_DIR') ?? './data');
  const port = read.integer('PORT', { min: 0, max: 65_535 }) ?? 8080;
  const host = read.text('HOST') ?? '127.0.0.1';
  const local = !production && LOOPBACK.test(host);
  const allowDevCodes = read.flag('ALLOW_DEV_CODES') ?? false;
  const config = {
    production,
    host,
    /** Not in production, and reachable from this machine alone. */
    local,
    /** 0 for any free port. */
    port,
    /** The URL at which clients reach the service, without a trailing slash. With PORT=0, service.ts inserts the port. */
    baseUrl: read.url('BASE_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? `http://localhost:${port}`,
    dataDir,
    /** Null: the embedded PostgreSQL in dataDir. */
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseConnectionsMax: read.integer('DATABASE_CONNECTIONS_MAX', { min: 2, max: 500 }) ?? 10,
    secretKey: read.text('SECRET_KEY', { lengthMin: KEY_CHARACTERS_MIN }),
    /** Also decrypts and verifies, while the key is being rotated. */
    secretKeySecond: read.text('SECRET_KEY_SECOND', { lengthMin: KEY_CHARACTERS_MIN }),
    logLevel:
      read.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const) ??
      'info',
    mail: {
      smtpUrl: read.url('SMTP_URL', ['smtp:', 'smtps:']),
      from: read.text('MAIL_FROM') ?? 'Earshot <earshot@localhost>',
    },
    /** Without a mail server, the API returns sign-in codes in its answers. */
    showCodes: local || allowDevCodes,
    requireEmailVerification: read.flag('REQUIRE_EMAIL_VERIFICATION') ?? false,
    registrationsPerHour: read.integer('REGISTRATIONS_PER_HOUR', { min: 1, max: 1_000_000 }) ?? 5,
    /** In each process, per workspace, or per address for requests without credentials. */
    requestsPerMinute: read.integer('REQUESTS_PER_MINUTE', { min: 1, max: 100_000_000 }) ?? 3_000,
    /** Rejected keys and tokens, in each process and per address. */
    failedCredentialsPerMinute:
      read.integer('FAILED_CREDENTIALS_PER_MINUTE', { min: 1, max: 100_000_000 }) ?? 600,
    ...readConcurrencyLimits(read),
    /** Shown by /version; null when the build did not set it. */
    commit: read.text('COMMIT'),
    /** CIDRs of proxies whose X-Forwarded-For is trusted. */
    trustedProxies: read.cidrs('TRUSTED_PROXIES') ?? [],
    /** Origins whose pages may read answers (CORS), never with cookies; `*` for all. */
    allowedOrigins: read.origins('ALLOWED_ORIGINS') ?? [],
    outgoing: {
      allowPrivateTargets: read.cidrs('ALLOW_PRIVATE_TARGETS') ?? [],
      allowedPorts: read.integers('ALLOWED_PORTS', { min: 1, max: 65_535 }) ?? [80, 443],
      dnsServers: read.servers('DNS_SERVERS') ?? [],
    },
    limits: {
      uploadBytesMax: read.integer('UPLOAD_BYTES_MAX', { min: 1, max: 2 ** 40 }) ?? 50_000_000,
      audioSecondsMax: read.integer('AUDIO_SECONDS_MAX', { min: 1, max: 86_400 }) ?? 10_800,
      analysisTimeoutSeconds: read.integer('ANALYSIS_TIMEOUT_SECONDS', { min: 1, max: 86_400 }) ?? 1_800,
    },
    workerConcurrency: read.integer('WORKER_CONCURRENCY', { min: 1, max: 256 }) ?? 2,
    /** Sandbox walls of the decoder without which a worker may still start. */
    decoderWallsOptional: read.someOf('DECODER_WALLS_OPTIONAL', SANDBOX_WALLS) ?? [],
    /** False saves a tenth of the engine's work (docs/benchmarks.md) and leaves out genre, mood and instruments. */
    listenForTags: read.flag('LISTEN_FOR_TAGS') ?? true,
    /** How long a stopping process lets its jobs run before it hands them back. */
    stopGraceSeconds: read.integer('STOP_GRACE_SECONDS', { min: 0, max: 3_600 }) ?? 20,
    /** How long finished analyses and deliveries are kept; null for ever. */
    retention: {
      analysisDays: read.integer('RETENTION_DAYS', { min: 1, max: 36_500 }),
      deliveryDays: read.integer('DELIVERY_RETENTION_DAYS', { min: 1, max: 36_500 }) ?? 30,
    },
    payments: readPayments(read, local),
    s3: readS3(read),
    metrics: readMetrics(read),
    tracing: readTracing(read),
    enrichment: {
      acoustidApiKey: read.text('ACOUSTID_API_KEY'),
      acoustidBaseUrl: read.url('ACOUSTID_BASE_URL', ['http:', 'https:']) ?? 'https://api.acoustid.org',
      musicbrainzBaseUrl: read.url('MUSICBRAINZ_BASE_URL', ['http:', 'https:']) ?? 'https://musicbrainz.org',
    },
  };
  if (production && config.mail.smtpUrl === null && !allowDevCodes) {
    read.problem(
      'SMTP_URL',
      'is not set, so nobody could receive a sign-in code; set it, or ALLOW_DEV_CODES=true to show codes in the answer',
    );
  }
  read.throwIfAny();
  return { ...config, secretKey: config.secretKey ?? secretKeyOf(dataDir) };
}

function readConcurrencyLimits(read: EnvironmentReader) {
  return {
    /** Waiting times above which a process refuses requests (app/load.ts). */
    shedding: {
      loopDelayMsMax: read.integer('SHED_LOOP_DELAY_MS', { min: 1, max: 3_600_000 }) ?? 300,
      poolWaitMsMax: read.integer('SHED_POOL_WAIT_MS', { min: 1, max: 3_600_000 }) ?? 500,
    },
    /** Limits of event streams and long polls open at the same time. */
    connectionSlots: {
      perWorkspaceMax: read.integer('HELD_ANSWERS_PER_WORKSPACE', { min: 1, max: 1_000_000 }) ?? 100,
      perProcessMax: read.integer('HELD_ANSWERS_MAX', { min: 1, max: 1_000_000 }) ?? 2_000,
    },
  };
}

function readPayments(read: EnvironmentReader, local: boolean) {
  const stripeSecretKey = read.text('STRIPE_SECRET_KEY');
  const stripeWebhookSecret = read.text('STRIPE_WEBHOOK_SECRET');
  if (stripeSecretKey !== null && stripeWebhookSecret === null) {
    read.problem(
      'STRIPE_WEBHOOK_SECRET',
      'is needed together with STRIPE_SECRET_KEY: without it no payment would count',
    );
  }
  return {
    stripeSecretKey,
    stripeWebhookSecret,
    stripeApiBase: read.url('STRIPE_API_BASE', ['http:', 'https:']),
    stripePrices: {
      pro: read.text('STRIPE_PRICE_PRO'),
      scale: read.text('STRIPE_PRICE_SCALE'),
      scaleOverage: read.text('STRIPE_PRICE_SCALE_OVERAGE'),
    },
    /** Without Stripe: whether plans can be bought with play money or not at all. */
    sandbox: local || (read.flag('ALLOW_SANDBOX_PAYMENTS') ?? false),
    /** Null: derived from secretKey. */
    sandboxWebhookSecret: read.text('PAYMENT_WEBHOOK_SECRET'),
  };
}

/** Without a port no metrics are served. The token may be null only on the loopback. */
function readMetrics(read: EnvironmentReader) {
  const host = read.text('METRICS_HOST') ?? '127.0.0.1';
  const port = read.integer('METRICS_PORT', { min: 0, max: 65_535 });
  const token = read.text('METRICS_TOKEN', { lengthMin: 16 });
  if (port !== null && token === null && !LOOPBACK.test(host)) {
    read.problem('METRICS_TOKEN', `is needed when METRICS_HOST is ${host}: others could read the figures`);
  }
  return { host, port, token };
}

/** OpenTelemetry defines the names and formats of these variables, which platforms set. */
function readTracing(read: EnvironmentReader): TracingConfig {
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      read.problem('OTEL_EXPORTER_OTLP_HEADERS', 'has a % that begins no escape; write it as %25');
      return text;
    }
  };
  const pairs = (read.text('OTEL_EXPORTER_OTLP_HEADERS') ?? '')
    .split(',')
    .filter((pair) => pair.includes('='));
  return {
    endpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    serviceName: read.text('OTEL_SERVICE_NAME') ?? 'earshot',
    headers: Object.fromEntries(
      pairs.map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [name.trim(), decode(value.join('=').trim())];
      }),
    ),
  };
}

/** Null without a bucket; also without its keys, which is recorded as a problem. */
function readS3(read: EnvironmentReader) {
  const bucket = read.text('S3_BUCKET');
  if (bucket === null) return null;
  const accessKeyId = read.text('S3_ACCESS_KEY_ID');
  const secretAccessKey = read.text('S3_SECRET_ACCESS_KEY');
  if (accessKeyId === null) read.problem('S3_ACCESS_KEY_ID', 'is needed together with S3_BUCKET');
  if (secretAccessKey === null) read.problem('S3_SECRET_ACCESS_KEY', 'is needed together with S3_BUCKET');
  if (accessKeyId === null || secretAccessKey === null) return null;
  const region = read.text('S3_REGION') ?? 'us-east-1';
  return {
    bucket,
    region,
    endpoint: read.url('S3_ENDPOINT', ['http:', 'https:']) ?? `https://s3.${region}.amazonaws.com`,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: read.flag('S3_FORCE_PATH_STYLE') ?? true,
  };
}
