import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { sha256Hex } from '../../platform/crypto.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { S3_KEYS, startS3StandIn } from '../s3-stand-in.ts';
import { until } from '../until.ts';
import { makeWav } from '../wav.ts';
import { startJourneyService } from './journey-service.ts';

/** `earshot import` with a started service: killed in the middle, on two machines at once, from a bucket. */

const SONG_COUNT = 12;

const service = await startJourneyService();
const program = fileURLToPath(new URL('../../../../cli/bin/earshot.mjs', import.meta.url));
const home = await mkdtemp(join(tmpdir(), 'earshot-import-test-'));
const running = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

type Customer = { env: Record<string, string | undefined>; client: TestClient };

/** Each `machine` has its own home folder, and so its own journal. */
async function newCustomer(email: string): Promise<(machine: string) => Customer> {
  const { body } = await service.client.post<{ api_key: string }>('/v1/auth/register', { email });
  const client = createTestClient(service.url, { 'x-api-key': body.api_key });
  return (machine) => ({
    client,
    env: {
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: join(home, email, machine),
      EARSHOT_URL: service.url,
      EARSHOT_API_KEY: body.api_key,
    },
  });
}

async function makeSongs(name: string, count = SONG_COUNT): Promise<string> {
  const folder = join(home, name);
  await mkdir(join(folder, 'inner'), { recursive: true });
  for (let number = 0; number < count; number += 1) {
    const bytes = makeWav({ seconds: 1, toneHz: 200 + number * 10 });
    await writeFile(join(folder, number % 2 === 0 ? 'inner' : '', `song ${number}.wav`), bytes);
  }
  await writeFile(join(folder, 'cover.jpg'), 'no audio');
  return folder;
}

/** The numbers of songs in the last line that the command prints. */
async function runImport({ env }: Customer, ...args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'import', ...args], { env });
  const [, all, sent, there, refused] = /(\d+) songs: (\d+) handed over, (\d+) there already, (\d+) refused/
    .exec(stdout)!
    .map(Number);
  return { all, sent, there, refused };
}

const countJobs = async (client: TestClient) =>
  Number((await client.get('/v1/analyses?limit=1')).headers.get('x-total-count'));

/** Up to three imports of a dozen songs, on a busy machine. */
const IMPORTS_TIMEOUT_MS = 120_000;

describe('earshot import', { timeout: IMPORTS_TIMEOUT_MS }, () => {
  it('continues after kill -9, and sends no song twice', async () => {
    const machine = (await newCustomer('killed@example.com'))('one');
    const folder = await makeSongs('killed');
    const child = spawn(process.execPath, [program, 'import', '--parallel', '1', folder], machine);
    running.add(child);
    const ended = once(child, 'exit');
    await until(async () => (await countJobs(machine.client)) >= 3, 'some songs are handed over');
    child.kill('SIGKILL');
    await ended;
    expect(await countJobs(machine.client)).toBeLessThan(SONG_COUNT);
    expect(await runImport(machine, folder)).toMatchObject({ all: SONG_COUNT, refused: 0 });
    expect(await countJobs(machine.client)).toBe(SONG_COUNT);
    expect(await runImport(machine, folder)).toEqual({
      all: SONG_COUNT,
      sent: 0,
      there: SONG_COUNT,
      refused: 0,
    });
  });

  it('sends songs whose upload a killed run began an hour ago, and reports an empty file', async () => {
    const machine = (await newCustomer('an-hour-ago@example.com'))('one');
    const folder = await makeSongs('an-hour-ago', 2);
    const slots: string[] = [];
    for (const number of [0, 1]) {
      const sha256 = sha256Hex(makeWav({ seconds: 1, toneHz: 200 + number * 10 }));
      const { body } = await machine.client.post<{ id: string }>(
        '/v1/storage-objects',
        { content_type: 'application/octet-stream', purpose: 'upload', file_name: `song ${number}.wav` },
        { 'idempotency-key': `upload-import-${sha256}` },
      );
      slots.push(body.id);
    }
    // A PUT to the first slot gets 410, one to the second, whose row the sweeper has deleted, 404.
    await service.db.query(`update storage_objects set status = 'deleted' where id = $1`, [slots[0]]);
    await service.db.query('delete from storage_objects where id = $1', [slots[1]]);
    await writeFile(join(folder, 'empty.wav'), '');
    await expect(runImport(machine, folder)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^3 songs: 2 handed over, 0 there already, 1 refused/),
      stderr: `${join(folder, 'empty.wav')}: The file is empty\n`,
    });
    expect(await countJobs(machine.client)).toBe(2);
  });

  it('sends every song once from two machines at once', async () => {
    const customer = await newCustomer('two@example.com');
    const folder = await makeSongs('two');
    const both = await Promise.all([runImport(customer('one'), folder), runImport(customer('two'), folder)]);
    expect(both.map(({ all }) => all)).toEqual([SONG_COUNT, SONG_COUNT]);
    expect(both[0]!.sent! + both[1]!.sent!).toBe(SONG_COUNT);
    expect(await countJobs(customer('one').client)).toBe(SONG_COUNT);
  });

  it('divides the songs between machines with --share', async () => {
    const customer = await newCustomer('shares@example.com');
    const folder = await makeSongs('shares');
    const [first, second] = [
      await runImport(customer('one'), folder, '--share', '1/2'),
      await runImport(customer('two'), folder, '--share', '2/2'),
    ];
    // By the path, which is random here: one machine may even get all.
    expect([first.all! + second.all!, first.sent! + second.sent!]).toEqual([SONG_COUNT, SONG_COUNT]);
  });

  it('recognises copies under other names, and sends a deleted song again', async () => {
    const machine = (await newCustomer('copies@example.com'))('one');
    const folder = await makeSongs('copies', 2);
    await writeFile(join(folder, 'copy of one.wav'), makeWav({ seconds: 1, toneHz: 210 }));
    expect(await runImport(machine, folder)).toEqual({ all: 3, sent: 2, there: 1, refused: 0 });
    const jobs = await machine.client.get<{ id: string }[]>('/v1/analyses');
    await machine.client.send(`/v1/analyses/${jobs.body[0]!.id}`, { method: 'DELETE' });
    const elsewhere = (await newCustomer('copies2@example.com'))('one');
    const again = { ...machine, env: { ...machine.env, XDG_CONFIG_HOME: elsewhere.env.XDG_CONFIG_HOME } };
    expect(await runImport(again, folder)).toMatchObject({ all: 3, sent: 1 });
    expect(await countJobs(machine.client)).toBe(2);
  });

  it('imports a prefix of a bucket', async () => {
    const machine = (await newCustomer('bucket@example.com'))('one');
    const store = await startS3StandIn();
    onTestFinished(() => store.close());
    for (const number of [1, 2, 3]) {
      const key = `crates/song ${number} ü+.wav`;
      store.objects.set(key, {
        bytes: makeWav({ seconds: 1, toneHz: 300 + number }),
        headers: {},
        modifiedAt: new Date(),
      });
    }
    store.objects.set('other/no.wav', {
      bytes: Buffer.from('x'),
      headers: {},
      modifiedAt: new Date(),
    });
    const env = {
      ...machine.env,
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
      AWS_REGION: S3_KEYS.region,
      AWS_ENDPOINT_URL: store.endpoint,
    };
    const first = await runImport({ ...machine, env }, 's3://bucket/crates/');
    expect(first).toEqual({ all: 3, sent: 3, there: 0, refused: 0 });
    const names = (await machine.client.get<{ file_name: string }[]>('/v1/analyses?sort=title')).body;
    expect(names.map((job) => job.file_name)).toEqual(['song 1 ü+.wav', 'song 2 ü+.wav', 'song 3 ü+.wav']);
    expect(await runImport({ ...machine, env }, 's3://bucket/crates/')).toMatchObject({ sent: 0, there: 3 });
  });
});
