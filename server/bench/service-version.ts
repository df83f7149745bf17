/** Runs one version of the service for a bench, with its own database, one registered account and one analysed song. */
import { once } from '../src/platform/once.ts';
import type { Database } from '../src/platform/postgres.ts';
import { openBenchDatabase } from './bench-database.ts';
import { type Api, OWN_PROGRAM, type RoleProcess, startApi, startWorker } from './service-process.ts';

export type Version = {
  program: string;
  dataDir: string;
  db: Database;
  service: Api;
  headers: Record<string, string>;
  /** Id of the analysed song. */
  song: string;
  close(): Promise<void>;
};

/** A version whose first song has not been analysed yet. */
export type StartedVersion = Omit<Version, 'song'>;

export async function startVersion(
  program: string,
  firstSong: (version: StartedVersion) => Promise<string>,
): Promise<Version> {
  const shouldMigrate = program === OWN_PROGRAM;
  const { dataDir, db, close: closeDatabase } = await openBenchDatabase({ level: 'warn', shouldMigrate });
  const service = await startApi(dataDir, program);
  const close = once(async () => {
    await service.stop();
    await closeDatabase();
  });
  try {
    const version = { program, dataDir, db, service, headers: await register(service), close };
    const song = await firstSong(version);
    await db.query('update credit_balances set granted = 1000000');
    return { ...version, song };
  } catch (error) {
    await close();
    throw error;
  }
}

async function register({ url }: Api): Promise<Record<string, string>> {
  const response = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com' }),
  });
  const { api_key: key } = (await response.json()) as { api_key: string };
  return { 'x-api-key': key, 'accept-encoding': 'gzip' };
}

export async function uploadSong(
  { service, headers }: StartedVersion,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'song.mp3');
  const response = await fetch(`${service.url}/v1/analyze/upload`, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(`upload: ${response.status} ${await response.text()}`);
  const { job_id: id } = (await response.json()) as { job_id: string };
  return id;
}

/** Runs a worker during `work`. */
export async function withWorker<T>(
  { dataDir, program }: StartedVersion,
  work: (worker: RoleProcess) => Promise<T>,
): Promise<T> {
  const worker = await startWorker(dataDir, program);
  try {
    return await work(worker);
  } finally {
    await worker.stop();
  }
}

export async function analyseSong(version: StartedVersion, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const id = await uploadSong(version, bytes);
  const { status } = await waitForEnd(version, id);
  if (status !== 'completed') throw new Error('The song was not analysed');
  return id;
}

type EndedJob = { status: string; created_at: string; started_at: string };

export async function waitForEnd({ service, headers }: StartedVersion, id: string): Promise<EndedJob> {
  for (;;) {
    const response = await fetch(`${service.url}/v1/analyses/${id}`, {
      headers: { ...headers, prefer: 'wait=30' },
    });
    if (!response.ok) throw new Error(`job ${id}: ${response.status} ${await response.text()}`);
    const job = (await response.json()) as EndedJob;
    if (job.status === 'completed' || job.status === 'failed') return job;
  }
}

/** Drops jobs of earlier measurements: workers retrying unreachable addresses would analyse no song. */
export async function dropJobs({ db }: Version): Promise<void> {
  await db.query('delete from jobs');
}
