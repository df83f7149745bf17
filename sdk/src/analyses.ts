import type {
  AnalysisEvent,
  AnalysisJob,
  AnalysisRequest,
  AnalysisResult,
  ExportFormat,
  StorageObject,
} from '@earshot/contract';
import type { z } from 'zod';
import { Job } from './job.ts';
import { paginate } from './paginate.ts';
import type { Transport } from './transport.ts';

type RequestOptions = Omit<z.input<typeof AnalysisRequest>, 'source_url' | 'storage_object_id'> & {
  /** The same key never makes a second job; one is made up when you give none. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

export type AnalysisInput = RequestOptions & ({ url: string } | { file: Blob } | { storageObjectId: string });

export function createAnalyses(call: Transport) {
  return {
    /**
     * Submits audio: a public address, a file, or an object that is stored already.
     *
     * @example
     * ```ts
     * const job = await earshot.analyses.create({ url: 'https://example.com/song.mp3' });
     * const { result } = await job.wait();
     * ```
     */
    async create(input: AnalysisInput): Promise<Job> {
      const { idempotencyKey = crypto.randomUUID(), signal, ...rest } = input;
      const { file, url, storageObjectId, ...options } = {
        file: undefined,
        url: undefined,
        storageObjectId: undefined,
        ...rest,
      };
      const stored = file ? await uploadFile(call, file, signal) : storageObjectId;
      const source = stored ? { storage_object_id: stored } : { source_url: url };
      const response = await call({
        method: 'POST',
        path: '/v1/analyses',
        json: { ...source, ...options },
        idempotencyKey,
        signal,
      });
      return new Job(call, (await response.json()) as z.output<typeof AnalysisJob>);
    },

    /** A job by its id, as it stands now. */
    async get(jobId: string): Promise<Job> {
      const response = await call({ method: 'GET', path: `/v1/analyses/${encodeURIComponent(jobId)}` });
      return new Job(call, (await response.json()) as z.output<typeof AnalysisJob>);
    },

    /** All jobs, newest first, page by page as you go. */
    list(filter: { status?: string; pageSize?: number } = {}): AsyncGenerator<z.output<typeof AnalysisJob>> {
      return paginate(call, '/v1/analyses', { status: filter.status, limit: filter.pageSize });
    },

    async result(jobId: string): Promise<z.output<typeof AnalysisResult>> {
      const response = await call({
        method: 'GET',
        path: `/v1/analyses/${encodeURIComponent(jobId)}/result`,
      });
      return (await response.json()) as z.output<typeof AnalysisResult>;
    },

    async events(jobId: string): Promise<z.output<typeof AnalysisEvent>[]> {
      const response = await call({
        method: 'GET',
        path: `/v1/analyses/${encodeURIComponent(jobId)}/events`,
      });
      return (await response.json()) as z.output<typeof AnalysisEvent>[];
    },

    /** The result in another program's format, as bytes. */
    async export(jobId: string, format: ExportFormat): Promise<Uint8Array> {
      const path = `/v1/analyses/${encodeURIComponent(jobId)}/exports/${format}`;
      const response = await call({ method: 'GET', path, headers: { accept: '*/*' } });
      return new Uint8Array(await response.arrayBuffer());
    },

    async delete(jobId: string): Promise<void> {
      await call({ method: 'DELETE', path: `/v1/analyses/${encodeURIComponent(jobId)}` });
    },
  };
}

/** Straight to storage through a signed address, so that large files never pass through a second server. */
async function uploadFile(call: Transport, file: Blob, signal: AbortSignal | undefined): Promise<string> {
  const contentType = file.type || 'application/octet-stream';
  const response = await call({
    method: 'POST',
    path: '/v1/storage-objects',
    json: { content_type: contentType, purpose: 'upload' },
    idempotencyKey: crypto.randomUUID(),
    signal,
  });
  const slot = (await response.json()) as z.output<typeof StorageObject>;
  const stored = await fetch(slot.signed_url, {
    method: 'PUT',
    body: file,
    headers: { 'content-type': contentType },
    signal,
  });
  if (!stored.ok) throw new Error(`Storage answered ${stored.status}: ${await stored.text()}`);
  return slot.id;
}
