import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { createRemoteAnalyser } from './analyse-remote.ts';
import { SongFailed } from './song.ts';

it('fails for a file that went away, and not for the others', async () => {
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: 'http://localhost:9' }), {});
  const failed = analyse('gone.mp3', () => {});
  await expect(failed).rejects.toThrow(SongFailed);
  await expect(failed).rejects.toThrow(`There is no file ${resolve('gone.mp3')}.`);
});

it('fails for a file that is written to while it is sent, and not for the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-remote-'));
  const path = join(folder, 'song.wav');
  writeFileSync(path, 'four');
  const service = await startTestService(() => {
    appendFileSync(path, 'more');
    return { status: 201, body: { id: 'obj_1', signed_url: `${service.url}/obj_1` } };
  });
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: service.url }), {});
  await expect(analyse(path, () => {})).rejects.toThrow(
    new SongFailed('The file was changed or moved while it was sent'),
  );
  rmSync(folder, { recursive: true });
});

it.each([
  ['the service', { code: 'payload_too_large', detail: 'No.' }],
  ['a proxy', null],
])('fails for a file that is too large for %s, and not for the others', async (_, body) => {
  const service = await startTestService(() => ({ status: 413, body }));
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: service.url }), {});
  await expect(analyse(fileURLToPath(import.meta.url), () => {})).rejects.toThrow(SongFailed);
});

it('makes one analysis of a song, however often the service was away meanwhile', async () => {
  /** Of an upload, a submission and a result. */
  const lost = [2, 5, 9];
  let answers = 0;
  const service = await startTestService(({ method, path }) => {
    answers += 1;
    if (lost.includes(answers)) return { status: 503, body: null };
    if (path === '/v1/storage-objects') return { body: { id: 'obj_1', signed_url: `${service.url}/obj_1` } };
    if (method === 'POST') return { body: { id: 'job_1', status: 'completed', progress: 1 } };
    return { body: { status: 'completed', result: { bpm: 120 } } };
  });
  const earshot = new Earshot({ baseUrl: service.url, retriesMax: 0 });
  const patience = async <T>(work: () => Promise<T>): Promise<T> => work().catch(() => patience(work));
  const analyse = createRemoteAnalyser(earshot, {}, patience);
  expect((await analyse(fileURLToPath(import.meta.url), () => {})).result).toEqual({ bpm: 120 });
  const keys = service.asked.filter(({ path }) => path === '/v1/analyses').map((one) => one.idempotencyKey);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});
