import { existsSync } from 'node:fs';
import serverPackage from '../package.json' with { type: 'json' };
import { type Config, readConfig } from './config.ts';
import { openMigratedDatabase } from './dependencies.ts';
import { StartError } from './errors.ts';
import { ConfigError } from './platform/environment.ts';
import { exitNow, exitWhenIdle } from './platform/exit.ts';
import { createLogger, type Logger } from './platform/log.ts';
import { readOrCreateSecretKey } from './platform/secret-key.ts';
import { type Service, type ServiceRole, startService } from './service.ts';
import { resealSecrets } from './webhooks/secrets.ts';

const USAGE = `Usage: earshot [all | serve | work | migrate | reseal]
  all      the API and a worker in one process (default)
  serve    the API alone
  work     a worker alone
  migrate  bring the database up to date and end
  reseal   encrypt webhook secrets with SECRET_KEY instead of SECRET_KEY_SECOND, and end
Settings are environment variables; .env.example explains each.`;

/** Time to close connections and the database after the grace for running work. */
const CLOSE_MS_MAX = 10_000;

async function main(role: string): Promise<void> {
  if (['help', '--help', '-h'].includes(role)) return console.log(USAGE);
  if (!['all', 'serve', 'work', 'migrate', 'reseal'].includes(role))
    throw new StartError(`There is no role "${role}".\n${USAGE}`);
  if (existsSync('.env')) process.loadEnvFile();
  const config = readConfig(process.env, readOrCreateSecretKey);
  const log = createLogger({ level: config.logLevel });
  process.on('uncaughtException', (error) => {
    // Safe: everything promised is in the database, and a new process continues from there.
    log.fatal({ err: error }, 'Unexpected error, this process ends');
    exitNow();
  });
  warnOfUnsafeSettings(config, log);
  if (role === 'migrate') await runMigrations(config, log);
  else if (role === 'reseal') await runReseal(config, log);
  else await runService(config, role as ServiceRole, log);
}

async function runMigrations(config: Config, log: Logger): Promise<void> {
  const { applied, close } = await openMigratedDatabase(config, log);
  await close();
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
}

async function runReseal(config: Config, log: Logger): Promise<void> {
  const { db, close } = await openMigratedDatabase(config, log);
  const count = await db.transaction((tx) => resealSecrets({ config }, tx)).finally(close);
  console.log(
    `Resealed: ${count}. SECRET_KEY alone now reads webhook secrets; stored answers and queued mail need SECRET_KEY_SECOND for 24 hours more.`,
  );
}

async function runService(config: Config, role: ServiceRole, log: Logger): Promise<void> {
  const starting = startService(config, role, log);
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal ends the process at once, which loses nothing.
      if (stopping) exitNow(signal);
      stopping = true;
      log.info({ signal }, 'Stopping');
      setTimeout(() => exitNow(), config.stopGraceSeconds * 1_000 + CLOSE_MS_MAX).unref();
      starting
        .then((service) => service.stop())
        .then(
          () => exitWhenIdle(0),
          (error: unknown) => {
            log.error({ err: error }, 'Stopping failed');
            exitWhenIdle(1);
          },
        );
    });
  }
  const service = await starting;
  if (!stopping) printBanner(config, service);
}

function printBanner(config: Config, { url, metricsUrl }: Service): void {
  if (metricsUrl !== null) console.log(`Metrics for Prometheus: ${metricsUrl}/metrics`);
  const place = config.databaseUrl === null ? `in ${config.dataDir}` : 'at DATABASE_URL';
  if (url === null) {
    console.log(`Earshot ${serverPackage.version} works on the jobs of the database ${place}.`);
    return;
  }
  console.log(
    [
      `Earshot ${serverPackage.version} listens on ${url} (database ${place}).`,
      `Reference: ${url}/docs`,
      'Next, get an API key:',
      `  curl -s ${url}/v1/auth/register -H 'content-type: application/json' -d '{"email":"you@example.com"}'`,
    ].join('\n'),
  );
}

/** Logs every setting that is convenient in development and dangerous elsewhere. */
function warnOfUnsafeSettings(config: Config, log: Logger): void {
  const { local, host } = config;
  if (config.mail.smtpUrl === null && config.showCodes && !local)
    log.warn(
      { host },
      'ALLOW_DEV_CODES: anyone who can reach this service can sign in as anyone, because answers contain the code',
    );
  if (config.mail.smtpUrl === null && !config.showCodes)
    log.warn({ host }, 'SMTP_URL is not set: sign-in codes are written only to this log');
  if (config.payments.stripeSecretKey === null && config.payments.sandbox && !local)
    log.warn({ host }, 'ALLOW_SANDBOX_PAYMENTS: anyone who signs in can take any plan without paying');
  const ranges = config.outgoing.allowPrivateTargets;
  if (ranges.length > 0)
    log.warn({ ranges }, 'ALLOW_PRIVATE_TARGETS lets URLs given by customers reach private addresses');
}

main(process.argv[2] ?? 'all').catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof StartError;
  console.error(expected ? error.message : error);
  process.exit(1);
});
