import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { createStorage } from '../platform/create-storage.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { createLogger } from '../platform/log.ts';
import { type DatabaseConnection, openDatabase } from '../platform/postgres.ts';
import { SERVER_ROOT } from '../platform/server-root.ts';
import { type Check, ok, warning } from './check.ts';

/** A person is waiting at a terminal. */
const SMTP_TIMEOUT_MS = 10_000;

const log = createLogger({ level: 'silent' });

export function checkDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Check {
  return {
    name: 'PostgreSQL',
    run: () =>
      config.databaseUrl === null
        ? inspectEmbedded(config.dataDir)
        : inspectDatabase({ connectionString: config.databaseUrl }),
  };
}

/** Checks the embedded server of the data folder, running or not. If there is none yet, starts one in a temporary folder. */
async function inspectEmbedded(dataDir: string) {
  const exists = existsSync(join(dataDir, 'postgres'));
  const folder = exists ? dataDir : await mkdtemp(join(tmpdir(), 'earshot-doctor-'));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
    try {
      if (exists) return await inspectDatabase(postgres.connection);
      return ok('the embedded server starts; its data will be made when the service first starts');
    } finally {
      await postgres.stop();
    }
  } finally {
    if (!exists) await rm(folder, { recursive: true, force: true });
  }
}

async function inspectDatabase(connection: DatabaseConnection) {
  const db = openDatabase({ connection, log, connectionsMax: 2 });
  try {
    const { version } = await db.one<{ version: string }>(
      `select current_setting('server_version') as version`,
    );
    const { known } = await db.one<{ known: boolean }>(
      `select to_regclass('schema_migrations') is not null as known`,
    );
    const applied = known
      ? (await db.query<{ name: string }>('select name from schema_migrations')).map(({ name }) => name)
      : [];
    const files = (await readdir(join(SERVER_ROOT, 'migrations'))).filter((name) => name.endsWith('.sql'));
    const pending = files.filter((name) => !applied.includes(name));
    return pending.length === 0
      ? ok(`${version}, up to date`)
      : warning(
          `${version}; migrations that the next start or "earshot migrate" will apply: ${pending.length}`,
        );
  } finally {
    await db.close();
  }
}

export function checkStorage(config: Pick<Config, 's3' | 'dataDir'>): Check {
  return {
    name: 'storage',
    async run() {
      const storage = await createStorage(config);
      const key = `doctor/${randomUUID()}`;
      const bytes = Buffer.from('earshot doctor');
      await storage.put(key, Readable.from([bytes]), { bytesMax: bytes.length, contentType: 'text/plain' });
      const chunks: Buffer[] = [];
      try {
        const { stream } = await storage.read(key);
        for await (const chunk of stream) chunks.push(chunk);
      } finally {
        await storage.delete(key);
      }
      if (!Buffer.concat(chunks).equals(bytes)) throw new Error('What was read is not what was written');
      return ok(config.s3 === null ? 'files in the data folder' : `bucket ${config.s3.bucket}`);
    },
  };
}

export function checkMail(config: Pick<Config, 'mail' | 'showCodes'>, timeoutMs = SMTP_TIMEOUT_MS): Check {
  return {
    name: 'mail',
    async run() {
      const { smtpUrl } = config.mail;
      if (smtpUrl === null)
        return warning(
          `SMTP_URL is not set: sign-in codes are ${config.showCodes ? 'shown to anyone who requests one' : 'written only to the log'}`,
        );
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
      });
      try {
        await transport.verify();
        return ok(`${new URL(smtpUrl).host} answers and takes our credentials`);
      } finally {
        transport.close();
      }
    },
  };
}
