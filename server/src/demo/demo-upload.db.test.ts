import { request } from 'node:http';
import type * as contract from '@earshot/contract';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import type { Upload } from '../analyses/receive-upload.ts';
import { startAnalysisService, startAnalysisWorker } from '../test/analysis-service.ts';
import { audioForm, createTestClient } from '../test/client.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { until } from '../test/until.ts';
import { makeWav } from '../test/wav.ts';
import { startUploadDemo } from './demo.ts';

type Accepted = z.infer<typeof contract.AcceptedDemo>;
type Polled = z.infer<typeof contract.KeyAnalysisFull>;

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);
const service = await startAnalysisService(ctx);
const worker = await startAnalysisWorker(ctx);
afterAll(async () => {
  await worker.stop(0);
  await service.stop();
});
const client = createTestClient(service.url);
const upload = (bytes: Uint8Array, fileName?: string) =>
  client.send<Accepted & { code?: string }>('/v1/demo/analyze/upload', {
    method: 'POST',
    body: audioForm(bytes, { fileName }),
  });

/** Sends only the headers of an upload of this length. The demo takes 20 MB, accounts 50 MB. */
function declareLength(bytes: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': bytes };
    const sent = request(`${service.url}/v1/demo/analyze/upload`, { method: 'POST', headers });
    sent.on('response', (response) => {
      resolve(response.statusCode);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
}

describe('a file uploaded to the demo', () => {
  it('is analysed without an account, readable at the poll address alone, and its audio is deleted', async () => {
    const accepted = await upload(makeWav({ seconds: 1 }), 'tone.wav');
    expect(accepted).toMatchObject({ status: 202, body: { status: 'processing' } });
    const { poll_url, job_id } = accepted.body;
    const poll = async () => (await (await fetch(poll_url)).json()) as Polled;
    await until(async () => (await poll()).status !== 'processing', 'the demo is finished', 30_000);
    expect(await poll()).toMatchObject({ job_id, status: 'completed', result: { duration_seconds: 1 } });
    expect((await client.get(`/v1/demo/analysis/${job_id}?token=x`)).status).toBe(404);
    await until(
      async () => (await db.query(`select 1 from storage_objects where status <> 'deleted'`)).length === 0,
      'the audio is gone',
    );
    expect(await db.query('select workspace_id, file_name from analyses')).toEqual([
      { workspace_id: null, file_name: 'tone.wav' },
    ]);
  });

  it('is refused if it is too large or not audio, and no object remains', async () => {
    expect((await upload(Buffer.from('%PDF-1.7 and then some more bytes of a document'))).body.code).toBe(
      'unsupported_media',
    );
    expect(await declareLength(20_100_000)).toBe(413);
    expect(await db.query(`select 1 from storage_objects where status <> 'deleted'`)).toEqual([]);
  });

  it('is discarded when its analysis cannot be created', async () => {
    const discard = vi.fn(async () => {});
    const stored = { byteSize: 1, sha256: '' };
    const upload = { objectId: 'obj_unknown', fileName: null, stored, discard } as unknown as Upload;
    await expect(startUploadDemo(ctx, upload)).rejects.toThrow();
    expect(discard).toHaveBeenCalledOnce();
  });

  it('is rate limited per client', async () => {
    await db.query('delete from rate_limit_counters');
    const statuses = [];
    for (let count = 0; count < 6; count++) statuses.push((await upload(Buffer.from('no audio'))).status);
    expect(statuses).toEqual([415, 415, 415, 415, 415, 429]);
  });
});
