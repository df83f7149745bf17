import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ExportUnavailable } from '@earshot/exports';
import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { type Answer, type ReceivedRequest, startTestService } from '../test-service.ts';
import { createRemoteAnalyser } from './analyse-remote.ts';
import { SongFailed } from './song.ts';

let answer: (request: ReceivedRequest) => Answer;
const service = await startTestService((request) => answer(request));
const earshot = new Earshot({ baseUrl: service.url });

const SLOT: Answer = { status: 201, body: { id: 'obj_1', signed_url: `${service.url}/obj_1` } };
/** A service on which every analysis ends at once, with this result. */
const completeWith =
  (result: object) =>
  ({ method, path }: ReceivedRequest): Answer => {
    if (path === '/v1/storage-objects') return SLOT;
    if (method === 'POST') return { body: { id: 'job_1', status: 'completed', progress: 1 } };
    return { body: { status: 'completed', result } };
  };

it('fails for a missing file only', async () => {
  const failed = createRemoteAnalyser(earshot, {})('gone.mp3', () => {});
  await expect(failed).rejects.toThrow(SongFailed);
  await expect(failed).rejects.toThrow(`There is no file ${resolve('gone.mp3')}.`);
});

it('fails only for the file that changes during its upload', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-remote-'));
  const path = join(folder, 'song.wav');
  writeFileSync(path, 'four');
  answer = () => {
    appendFileSync(path, 'more');
    return SLOT;
  };
  await expect(createRemoteAnalyser(earshot, {})(path, () => {})).rejects.toThrow(
    new SongFailed('The file was changed or moved while it was sent'),
  );
  rmSync(folder, { recursive: true });
});

it.each([
  ['the service', { code: 'payload_too_large', detail: 'No.' }],
  ['a proxy', null],
])('fails only for the file that is too large for %s', async (_, body) => {
  answer = () => ({ status: 413, body });
  const analyse = createRemoteAnalyser(earshot, {});
  await expect(analyse(import.meta.filename, () => {})).rejects.toThrow(SongFailed);
});

it('fails only for the file whose analysis fails, with the reason of the service', async () => {
  const error = { code: 'corrupt_audio', message: 'The file breaks off.', retryable: false };
  answer = ({ method, path }) => {
    if (path === '/v1/storage-objects') return SLOT;
    if (method === 'POST') return { body: { id: 'job_1', status: 'failed', progress: 0 } };
    return { body: { status: 'failed', result: null, error } };
  };
  const analyse = createRemoteAnalyser(earshot, {});
  await expect(analyse(import.meta.filename, () => {})).rejects.toThrow(new SongFailed(error.message));
});

it('makes one analysis of a song, however often the service becomes unreachable', async () => {
  /** Among the requests for an upload, a submission and a result. */
  const lostRequests = [2, 5, 9];
  let requestCount = 0;
  answer = (request) => {
    requestCount += 1;
    return lostRequests.includes(requestCount)
      ? { status: 503, body: null }
      : completeWith({ bpm: 120 })(request);
  };
  const impatient = new Earshot({ baseUrl: service.url, retriesMax: 0 });
  const retry = async <T>(work: () => Promise<T>): Promise<T> => work().catch(() => retry(work));
  const analyse = createRemoteAnalyser(impatient, {}, retry);
  expect((await analyse(import.meta.filename, () => {})).result).toEqual({ bpm: 120 });
  const keys = service.requests
    .filter(({ path }) => path === '/v1/analyses')
    .map((one) => one.idempotencyKey);
  expect(keys).toHaveLength(3);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
});

it('sends every hint under the name of the contract', async () => {
  answer = completeWith({});
  const hints = { bpm: 120, bpmMin: 90, bpmMax: 150, key: 'F# minor', timeSignature: 3 };
  await createRemoteAnalyser(earshot, hints)(import.meta.filename, () => {});
  expect(service.requests.find(({ path }) => path === '/v1/analyses')?.body).toMatchObject({
    hints: { bpm: 120, bpm_min: 90, bpm_max: 150, key: 'F# minor', time_signature: 3 },
  });
});

it('passes on why the service has no export of a song', async () => {
  answer = (request) =>
    request.path.includes('/exports/')
      ? { status: 409, body: { code: 'conflict', detail: 'There are no chords.' } }
      : completeWith({})(request);
  const song = await createRemoteAnalyser(earshot, {})(import.meta.filename, () => {});
  await expect(song.writeExport('lab-chords')).rejects.toThrow(new ExportUnavailable('There are no chords.'));
});
