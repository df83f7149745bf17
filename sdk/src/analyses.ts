import { Job } from './job.ts';
import { changingOf, findingOf, pathOf } from './songs.ts';
import { readJson, sendOnly, type Transport } from './transport.ts';
import { uploadFile } from './upload-file.ts';
import type { AnalysisEvent, AnalysisRequest, AnalysisResult, Operations } from './wire-types.generated.ts';

/**
 * A format of another program that a result can be had in.
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
  /** The same key never makes a second job; one is made up when you give none. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/**
 * What can be submitted: a public address, a file, or an object that is stored already; with what is known about it.
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
  return { ...submittingOf(call), ...readingOf(call), ...findingOf(call), ...changingOf(call) };
}

function submittingOf(call: Transport) {
  return {
    /**
     * Submits audio: a public address, a file, or an object that is stored already.
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
      const { idempotencyKey = crypto.randomUUID(), signal, ...rest } = input;
      const { file, fileName, url, storageObjectId, ...options } = {
        file: undefined,
        fileName: undefined,
        url: undefined,
        storageObjectId: undefined,
        ...rest,
      };
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
      return storageObjectId ? submitStored(storageObjectId) : submit({ source_url: url });
    },
  };
}

/** What the types say, for programs without them: JavaScript would send the name of a file as its bytes. */
function checkSource(source: { file: unknown; url: unknown; storageObjectId: unknown }): void {
  if (Object.values(source).filter((value) => value !== undefined).length !== 1) {
    throw new TypeError('give exactly one of file, url and storageObjectId');
  }
  if (typeof source.file === 'string') {
    throw new TypeError(
      `file is the bytes, not a path. In Node: file: await openAsBlob("${source.file}"), of node:fs`,
    );
  }
}

function readingOf(call: Transport) {
  return {
    /** A job by its id, as it stands now. */
    async get(jobId: string): Promise<Job> {
      return new Job(call, await readJson(await call({ method: 'GET', path: pathOf(jobId) })));
    },

    /** Deletes the audio that was kept; the result stays. */
    async deleteSource(jobId: string): Promise<void> {
      await sendOnly(call, { method: 'DELETE', path: `${pathOf(jobId)}/artifacts/source` });
    },

    /** As people say it is; with `asHeard`, as the engine said. */
    async result(jobId: string, options: { asHeard?: boolean } = {}): Promise<AnalysisResult> {
      const query = { as_heard: options.asHeard };
      return readJson(await call({ method: 'GET', path: `${pathOf(jobId)}/result`, query }));
    },

    async events(jobId: string): Promise<AnalysisEvent[]> {
      return readJson(await call({ method: 'GET', path: `${pathOf(jobId)}/events` }));
    },

    /** The result in another program's format, as bytes. */
    async export(jobId: string, format: ExportFormat): Promise<Uint8Array> {
      return download(call, `${pathOf(jobId)}/exports/${format}`);
    },

    /** The report a person can read, as bytes. */
    async report(jobId: string, format: 'html' | 'pdf'): Promise<Uint8Array> {
      return download(call, `${pathOf(jobId)}/artifacts/report.${format}`);
    },

    async delete(jobId: string): Promise<void> {
      await sendOnly(call, { method: 'DELETE', path: pathOf(jobId) });
    },
  };
}

async function download(call: Transport, path: string): Promise<Uint8Array> {
  const response = await call({ method: 'GET', path, headers: { accept: '*/*' } });
  return new Uint8Array(await response.arrayBuffer());
}
