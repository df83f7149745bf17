import { analysisPath } from './analysis-path.ts';
import { Job } from './job.ts';
import { newIdempotencyKey } from './new-idempotency-key.ts';
import { editMethods, searchMethods } from './songs.ts';
import { callAndDiscard, download, readJson, type Transport } from './transport.ts';
import { uploadFile } from './upload-file.ts';
import type { AnalysisEvent, AnalysisRequest, AnalysisResult, Operations } from './wire-types.generated.ts';

/**
 * File format of another program that a result can be exported to.
 *
 * @example
 * ```ts
 * import { type ExportFormat } from '@earshot/sdk';
 *
 * const forDjs: ExportFormat[] = ['rekordbox-xml', 'csv'];
 * console.log(forDjs.join(', '));
 * ```
 */
export type ExportFormat = Operations['exportAnalysis']['params']['format'];

type RequestOptions = Omit<AnalysisRequest, 'source_url' | 'storage_object_id'> & {
  /** The same key never creates a second job; without one, a random key is used. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

type Source = { url?: string; file?: Blob; fileName?: string; storageObjectId?: string };

/**
 * What to analyse (a public URL, a file, or an object already in storage), with options and hints.
 *
 * @example
 * ```ts
 * import { openAsBlob } from 'node:fs';
 * import { type AnalysisInput, Earshot } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const input: AnalysisInput = {
 *   file: await openAsBlob('song.mp3', { type: 'audio/mpeg' }),
 *   fileName: 'song.mp3',
 *   features: ['rhythm', 'tonal'],
 *   hints: { bpm_min: 90, bpm_max: 180 },
 *   idempotencyKey: 'song-of-the-day-2026-01-31',
 * };
 * const [first, second] = [await earshot.analyses.create(input), await earshot.analyses.create(input)];
 * console.log(first.id === second.id);
 * ```
 */
export type AnalysisInput = RequestOptions &
  ({ url: string } | { file: Blob; fileName?: string } | { storageObjectId: string });

export function createAnalyses(call: Transport) {
  return { ...submitMethods(call), ...readMethods(call), ...searchMethods(call), ...editMethods(call) };
}

function submitMethods(call: Transport) {
  return {
    /**
     * Submits audio: a public URL, a file, or an object already in storage.
     *
     * @example
     * ```ts
     * import { openAsBlob } from 'node:fs';
     * import { Earshot } from '@earshot/sdk';
     *
     * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
     * const job = await earshot.analyses.create({ file: await openAsBlob('song.mp3'), fileName: 'song.mp3' });
     * const { result } = await job.wait({ onProgress: ({ progress }) => console.log(`${Math.round(progress * 100)} %`) });
     * console.log(result.loudness_lufs);
     * ```
     */
    async create(input: AnalysisInput): Promise<Job> {
      const {
        idempotencyKey = newIdempotencyKey(),
        signal,
        file,
        fileName,
        url,
        storageObjectId,
        ...options
      } = input as RequestOptions & Source;
      checkSource({ file, url, storageObjectId });
      const submit = async (source: { source_url?: string } | { storage_object_id: string }) => {
        const response = await call({
          method: 'POST',
          path: '/v1/analyses',
          json: { ...source, ...options },
          idempotencyKey,
          signal,
        });
        return new Job(call, await readJson(response));
      };
      const submitStored = (objectId: string) => submit({ storage_object_id: objectId });
      if (file) return uploadFile(call, { file, fileName, idempotencyKey, signal }, submitStored);
      return storageObjectId === undefined ? submit({ source_url: url }) : submitStored(storageObjectId);
    },
  };
}

/** Repeats at run time what the types say: plain JavaScript could send a path as the bytes of the file. */
function checkSource(source: { file: unknown; url: unknown; storageObjectId: unknown }): void {
  if (Object.values(source).filter((value) => value !== undefined).length !== 1) {
    throw new TypeError('give exactly one of file, url and storageObjectId');
  }
  if (typeof source.file === 'string') {
    throw new TypeError(
      `file must be a Blob, not a path. In Node: file: await openAsBlob("${source.file}"), from node:fs`,
    );
  }
}

function readMethods(call: Transport) {
  return {
    /** The current state of a job. */
    async get(jobId: string): Promise<Job> {
      return new Job(call, await readJson(await call({ method: 'GET', path: analysisPath(jobId) })));
    },

    /** Deletes the retained audio; the result stays. */
    async deleteSource(jobId: string): Promise<void> {
      await callAndDiscard(call, { method: 'DELETE', path: `${analysisPath(jobId)}/artifacts/source` });
    },

    /** The result with people's corrections; with `asHeard`, without them. */
    async result(jobId: string, options: { asHeard?: boolean } = {}): Promise<AnalysisResult> {
      const query = { as_heard: options.asHeard };
      return readJson(await call({ method: 'GET', path: `${analysisPath(jobId)}/result`, query }));
    },

    async events(jobId: string): Promise<AnalysisEvent[]> {
      return readJson(await call({ method: 'GET', path: `${analysisPath(jobId)}/events` }));
    },

    /** The result in the format of another program. */
    async export(jobId: string, format: ExportFormat): Promise<Uint8Array> {
      return download(call, `${analysisPath(jobId)}/exports/${format}`);
    },

    /** The human-readable report. */
    async report(jobId: string, format: 'html' | 'pdf'): Promise<Uint8Array> {
      return download(call, `${analysisPath(jobId)}/artifacts/report.${format}`);
    },

    async delete(jobId: string): Promise<void> {
      await callAndDiscard(call, { method: 'DELETE', path: analysisPath(jobId) });
    },
  };
}
