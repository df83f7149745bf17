import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ExportUnavailable } from '@earshot/exports';
import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { createRemoteAnalyser } from './analyse-remote.ts';
import { SongFailed } from './song.ts';

it('fails for a missing file only', async () => {
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: 'http://localhost:9' }), {});
  const failed = analyse('gone.mp3', () => {});
  await expect(failed).rejects.toThrow(SongFailed);
  await expect(failed).rejects.toThrow(`There is no file ${resolve('gone.mp3')}.`);
});

it('fails only for the file that changes during its upload', async () => {
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
])('fails only for the file that is too large for %s', async (_, body) => {
  const service = await startTestService(() => ({ status: 413, body }));
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: service.url }), {});
  await expect(analyse(import.meta.filename, () => {})).rejects.toThrow(SongFailed);
});

it('makes one analysis of a song, however often the service becomes unreachable', async () => {
  /** Among the requests for an upload, a submission and a result. */
  const lostRequests = [2, 5, 9];
  let requestCount = 0;
  const service = await startTestService(({ method, path }) => {
    requestCount += 1;
    if (lostRequests.includes(requestCount)) return { status: 503, body: null };
    if (path === '/v1/storage-objects') return { body: { id: 'obj_1', signed_url: `${service.url}/obj_1` } };
    if (method === 'POST') return { body: { id: 'job_1', status: 'completed', progress: 1 } };
    return { body: { status: 'completed', result: { bpm: 120 } } };
  });
  const earshot = new Earshot({ baseUrl: service.url, retriesMax: 0 });
  const retry = async <T>(work: () => Promise<T>): Promise<T> => work().catch(() => retry(work));
  const analyse = createRemoteAnalyser(earshot, {}, retry);
  expect((await analyse(import.meta.filename, () => {})).result).toEqual({ bpm: 120 });
  const keys = service.requests
    .filter(({ path }) => path === '/v1/analyses')
    .map((one) => one.idempotencyKey);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
});

it('sends every hint under the name of the contract', async () => {
  const service = await startTestService(({ method, path }) => {
    if (path === '/v1/storage-objects') return { body: { id: 'obj_1', signed_url: `${service.url}/obj_1` } };
    if (method === 'POST') return { body: { id: 'job_1', status: 'completed', progress: 1 } };
    return { body: { status: 'completed', result: {} } };
  });
  const hints = { bpm: 120, bpmMin: 90, bpmMax: 150, key: 'F# minor', timeSignature: 3 };
  await createRemoteAnalyser(new Earshot({ baseUrl: service.url }), hints)(import.meta.filename, () => {});
  expect(service.requests.find(({ path }) => path === '/v1/analyses')?.body).toMatchObject({
    hints: { bpm: 120, bpm_min: 90, bpm_max: 150, key: 'F# minor', time_signature: 3 },
  });
});

it('passes on why the service has no export of a song', async () => {
  const service = await startTestService(({ method, path }) => {
    if (path === '/v1/storage-objects') return { body: { id: 'obj_1', signed_url: `${service.url}/obj_1` } };
    if (method === 'POST') return { body: { id: 'job_1', status: 'completed', progress: 1 } };
    if (path.includes('/exports/'))
      return { status: 409, body: { code: 'conflict', detail: 'There are no chords.' } };
    return { body: { status: 'completed', result: {} } };
  });
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: service.url }), {});
  const song = await analyse(import.meta.filename, () => {});
  await expect(song.writeExport('lab-chords')).rejects.toThrow(new ExportUnavailable('There are no chords.'));
});
