import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { SERVER_ROOT } from './platform/server-root.ts';

const read = (env: Record<string, string>) => readConfig(env, () => 'key from the data directory');

function problemsOf(env: Record<string, string>): string {
  try {
    read(env);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

describe('readConfig', () => {
  it('has defaults for everything', () => {
    const config = read({});
    expect(config).toMatchObject({
      port: 8080,
      baseUrl: 'http://localhost:8080',
      databaseUrl: null,
      secretKey: 'key from the data directory',
      s3: null,
      outgoing: { allowPrivateTargets: [], allowedPorts: [80, 443], dnsServers: [] },
      limits: { uploadBytesMax: 50_000_000 },
      enrichment: {
        acoustidApiKey: null,
        acoustidBaseUrl: 'https://api.acoustid.org',
        musicbrainzBaseUrl: 'https://musicbrainz.org',
      },
    });
    expect(config.dataDir).toMatch(/\/data$/);
  });

  it('reads settings of every form', () => {
    const config = read({
      PORT: '0',
      BASE_URL: 'https://earshot.example.com/',
      TRUSTED_PROXIES: '10.0.0.0/8, 192.168.1.1, ::1',
      REQUIRE_EMAIL_VERIFICATION: 'yes',
      ALLOWED_PORTS: '80,8443',
      DNS_SERVERS: '9.9.9.9, 10.0.0.2:5353, 2620:fe::fe, [2620:fe::9]:53',
      RETENTION_DAYS: '30',
    });
    expect(config).toMatchObject({
      port: 0,
      baseUrl: 'https://earshot.example.com',
      trustedProxies: ['10.0.0.0/8', '192.168.1.1/32', '::1/128'],
      requireEmailVerification: true,
      outgoing: {
        allowedPorts: [80, 8443],
        dnsServers: ['9.9.9.9', '10.0.0.2:5353', '2620:fe::fe', '[2620:fe::9]:53'],
      },
      retention: { analysisDays: 30 },
    });
  });

  it('reads each number from the variable of its name', () => {
    const config = read({
      DATABASE_CONNECTIONS_MAX: '2',
      REGISTRATIONS_PER_HOUR: '3',
      REQUESTS_PER_MINUTE: '4',
      FAILED_CREDENTIALS_PER_MINUTE: '5',
      SHED_LOOP_DELAY_MS: '6',
      SHED_POOL_WAIT_MS: '7',
      HELD_ANSWERS_PER_WORKSPACE: '8',
      HELD_ANSWERS_MAX: '9',
      UPLOAD_BYTES_MAX: '10',
      AUDIO_SECONDS_MAX: '11',
      ANALYSIS_TIMEOUT_SECONDS: '12',
      WORKER_CONCURRENCY: '13',
      STOP_GRACE_SECONDS: '14',
      RETENTION_DAYS: '15',
      DELIVERY_RETENTION_DAYS: '16',
    });
    expect(config).toMatchObject({
      databaseConnectionsMax: 2,
      registrationsPerHour: 3,
      requestsPerMinute: 4,
      failedCredentialsPerMinute: 5,
      shedding: { loopDelayMsMax: 6, poolWaitMsMax: 7 },
      connectionSlots: { perWorkspaceMax: 8, perProcessMax: 9 },
      limits: { uploadBytesMax: 10, audioSecondsMax: 11, analysisTimeoutSeconds: 12 },
      workerConcurrency: 13,
      stopGraceSeconds: 14,
      retention: { analysisDays: 15, deliveryDays: 16 },
    });
  });

  it('reads the settings of S3, on Amazon unless there is an endpoint', () => {
    const keys = { S3_BUCKET: 'songs', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    const common = { bucket: 'songs', accessKeyId: 'id', secretAccessKey: 'secret' };
    expect(read(keys).s3).toEqual({
      ...common,
      region: 'us-east-1',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      forcePathStyle: true,
    });
    expect(read({ ...keys, S3_REGION: 'eu-central-1' }).s3?.endpoint).toBe(
      'https://s3.eu-central-1.amazonaws.com',
    );
    const elsewhere = { S3_REGION: 'auto', S3_ENDPOINT: 'http://minio:9000', S3_FORCE_PATH_STYLE: 'false' };
    expect(read({ ...keys, ...elsewhere }).s3).toEqual({
      ...common,
      region: 'auto',
      endpoint: 'http://minio:9000',
      forcePathStyle: false,
    });
  });

  it('reads where traces go, with the headers in percent-encoding', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.com',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, authorization=Basic x==',
    };
    expect(read(env).tracing).toEqual({
      endpoint: 'https://otlp.example.com',
      serviceName: 'earshot',
      headers: { a: 'b c', authorization: 'Basic x==' },
    });
    expect(read({ OTEL_SERVICE_NAME: 'worker' }).tracing).toEqual({
      endpoint: null,
      serviceName: 'worker',
      headers: {},
    });
  });

  it('serves metrics without a token only on the loopback', () => {
    const metrics = { METRICS_PORT: '9464' };
    expect(read(metrics).metrics).toEqual({ host: '127.0.0.1', port: 9464, token: null });
    const token = 'sixteen-letters!';
    expect(read({ ...metrics, METRICS_HOST: '0.0.0.0', METRICS_TOKEN: token }).metrics).toEqual({
      host: '0.0.0.0',
      port: 9464,
      token,
    });
  });

  it('treats an empty variable as not set', () => {
    expect(read({ PORT: '', SMTP_URL: '  ' })).toMatchObject({ port: 8080, mail: { smtpUrl: null } });
  });

  it.each([
    [{ PORT: 'http' }, 'PORT is "http", not a whole number from 0 to 65535'],
    [{ PORT: '65536' }, 'PORT is "65536"'],
    [{ PORT: '-1' }, 'PORT is "-1"'],
    [{ BASE_URL: 'earshot.example.com' }, 'BASE_URL is not an address that begins with http:// or https://'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL is not an address that begins with postgres://'],
    [{ ALLOW_DEV_CODES: 'maybe' }, 'ALLOW_DEV_CODES is "maybe", not true or false'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", not one of trace'],
    [{ ALLOW_PRIVATE_TARGETS: '10.0.0.0/33' }, 'ALLOW_PRIVATE_TARGETS contains "10.0.0.0/33"'],
    [{ ALLOWED_PORTS: '80,x' }, 'ALLOWED_PORTS contains "x"'],
    [{ DNS_SERVERS: 'dns.example.com' }, 'DNS_SERVERS contains "dns.example.com"'],
    [{ DNS_SERVERS: '9.9.9.9:70000' }, 'DNS_SERVERS contains "9.9.9.9:70000"'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY is too short'],
    [{ S3_BUCKET: 'b' }, 'S3_ACCESS_KEY_ID is needed together with S3_BUCKET'],
    [{ S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a' }, 'S3_SECRET_ACCESS_KEY is needed together with S3_BUCKET'],
    [{ NODE_ENV: 'production' }, 'SMTP_URL is not set'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET is needed'],
    [
      { METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' },
      'METRICS_TOKEN is needed when METRICS_HOST is 0.0.0.0',
    ],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=100%' },
      'OTEL_EXPORTER_OTLP_HEADERS has a % that begins no escape; write it as %25',
    ],
  ])('%o: %s', (env, sentence) => {
    expect(problemsOf(env as Record<string, string>)).toContain(sentence);
  });

  it('lists every problem at once, without repeating a URL, which may contain a password', () => {
    const message = problemsOf({ PORT: 'x', DATABASE_URL: 'mysql://u:hunter2@h', LOG_LEVEL: 'x' });
    expect(message).toContain('3 problems');
    expect(message).not.toContain('hunter2');
  });

  it('starts in production without mail only when codes may be shown', () => {
    expect(problemsOf({ NODE_ENV: 'production', ALLOW_DEV_CODES: 'true' })).toBe('none');
    expect(problemsOf({ NODE_ENV: 'production', SMTP_URL: 'smtp://mail' })).toBe('none');
  });

  it('serves only this machine by default, and shows sign-in codes and accepts play money only there', () => {
    const openings = (env: Record<string, string>) => {
      const { host, showCodes, payments } = read(env);
      return [host, showCodes, payments.sandbox];
    };
    expect(openings({})).toEqual(['127.0.0.1', true, true]);
    expect(openings({ HOST: 'localhost' })).toEqual(['localhost', true, true]);
    expect(openings({ HOST: '0.0.0.0' })).toEqual(['0.0.0.0', false, false]);
    expect(openings({ HOST: '::' })).toEqual(['::', false, false]);
    expect(openings({ HOST: '192.0.2.1', ALLOW_DEV_CODES: 'true' })).toEqual(['192.0.2.1', true, false]);
    expect(openings({ HOST: '192.0.2.1', ALLOW_SANDBOX_PAYMENTS: 'true' })).toEqual([
      '192.0.2.1',
      false,
      true,
    ]);
    // A production service behind a proxy also listens on the loopback.
    const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://mail' };
    expect(openings(production)).toEqual(['127.0.0.1', false, false]);
  });

  it('reads exactly the settings that .env.example explains', () => {
    const source = readFileSync(join(SERVER_ROOT, 'src/config.ts'), 'utf8');
    const example = readFileSync(join(SERVER_ROOT, '../.env.example'), 'utf8');
    const names = (text: string, pattern: RegExp) =>
      [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
    const inCode = names(source, /(?:'|env\.)([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*)\b/g);
    expect(names(example, /^# ([A-Z][A-Z0-9_]+)=/gm)).toEqual(inCode);
  });
});
