import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres.ts';
import { createLogger } from '../../platform/log.ts';

/**
 * A process that uses the embedded database, for tests that kill it. Arguments: data directory, name of this writer, and optionally a
 * password for the superuser. For each line of standard input it prints one line:
 *   write  inserts the next number, and prints it
 *   count  the number of rows of this writer
 *   pid    the process id of the database server
 *   leave  stops using the database, prints `left`, and exits
 */
const [, , dataDir, writer, adminPassword] = process.argv as [string, string, string, string, string?];
const log = createLogger({ level: process.env.LOG_LEVEL ?? 'silent' });
const postgres = await startEmbeddedPostgres({ dataDir, log, ...(adminPassword && { adminPassword }) });
/** A round number: time for another process to start a killed server again. */
const CONNECT_TIMEOUT_MS = 10_000;
const pool = new pg.Pool({ ...postgres.connection, max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
pool.on('error', () => {});
await pool
  .query('create table if not exists written (writer text, number int)')
  .catch((error: pg.DatabaseError) => {
    // Concurrent creations collide in the catalogue; the table of either is fine.
    if (error.code !== '23505' && error.code !== '42P07') throw error;
  });
console.log('ready');

let number = 0;
const commands: Record<string, () => Promise<string | number>> = {
  async write() {
    number += 1;
    await pool.query('insert into written values ($1, $2)', [writer, number]);
    return number;
  },
  async count() {
    const { rows } = await pool.query('select count(*)::int as count from written where writer = $1', [
      writer,
    ]);
    return (rows[0] as { count: number }).count;
  },
  async pid() {
    // Makes sure that the server runs: the file may have been left by a server that has ended.
    await pool.query('select 1');
    return Number.parseInt(await readFile(join(postgres.socketFolder, 'postmaster.pid'), 'utf8'), 10);
  },
  async leave() {
    await pool.end();
    await postgres.stop();
    return 'left';
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(await commands[line]?.());
  } catch (error) {
    console.log(`failed: ${(error as Error).message}`);
  }
  if (line === 'leave') break;
}
process.exit(0);
