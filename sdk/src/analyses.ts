import { ApiError } from './errors.ts';
import { Job, type JobData } from './job.ts';
import { nextAfter, paginate } from './paginate.ts';
import type { Transport } from './transport.ts';
import type {
  AnalysisEvent,
  AnalysisRequest,
  AnalysisResult,
  Operations,
  StorageObject,
} from './wire-types.generated.ts';

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

/**
 * Which songs, and in which order: every parameter of the list but its pages.
 *
 * @example
 * ```ts
 * import { Earshot, type SongSearch } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const warmUp: SongSearch = { bpm_min: 118, bpm_max: 124, energy_max: 0.5, tag: ['warm-up'], sort: 'energy' };
 * console.log((await earshot.analyses.find(warmUp)).total);
 * ```
 */
export type SongSearch = Omit<NonNullable<Operations['listAnalyses']['query']>, 'limit' | 'after'>;

type BulkAction = Operations['changeAnalyses']['body']['action'];
type CollectionFormat = Operations['exportCollection']['query']['format'];

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
      const stored = file
        ? await uploadFile(call, { file, fileName, idempotencyKey, signal })
        : storageObjectId;
      const source = stored ? { storage_object_id: stored } : { source_url: url };
      const response = await call({
        method: 'POST',
        path: '/v1/analyses',
        json: { ...source, ...options },
        idempotencyKey,
        signal,
      });
      return new Job(call, (await response.json()) as JobData);
    },

    /** A job by its id, as it stands now. */
    async get(jobId: string): Promise<Job> {
      const response = await call({ method: 'GET', path: pathOf(jobId) });
      return new Job(call, (await response.json()) as JobData);
    },

    /**
     * The songs that a filter finds, in any order, page by page as you go; all of them, newest first, unless told otherwise.
     *
     * @example
     * ```ts
     * import { Earshot } from '@earshot/sdk';
     *
     * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
     * for await (const job of earshot.analyses.list({ q: 'night', bpm_near: 124, compatible_with: '8A', sort: '-energy' })) {
     *   console.log(job.headline?.title, job.headline?.bpm, job.headline?.camelot);
     * }
     * ```
     */
    list({ pageSize, ...filter }: SongSearch & { pageSize?: number } = {}): AsyncGenerator<JobData> {
      return paginate(call, '/v1/analyses', { ...filter, limit: pageSize });
    },

    /**
     * One page of them, with how many fit (a filter counts up to 10,000: `totalIsExact` says so); `next` is the `after` of the next page, null on the last.
     *
     * @example
     * ```ts
     * import { Earshot } from '@earshot/sdk';
     *
     * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
     * const { songs, total } = await earshot.analyses.find({ q: 'love', sort: 'title', limit: 20 });
     * console.log(`${songs.length} of ${total}`);
     * ```
     */
    async find(
      query: SongSearch & { limit?: number; after?: string } = {},
    ): Promise<{ songs: JobData[]; total: number; totalIsExact: boolean; next: string | null }> {
      const response = await call({ method: 'GET', path: '/v1/analyses', query });
      return {
        songs: (await response.json()) as JobData[],
        total: Number(response.headers.get('x-total-count')),
        totalIsExact: response.headers.get('x-total-count-relation') !== 'at-least',
        next: nextAfter(response.headers.get('link')) ?? null,
      };
    },

    /** Title, artist, album, tags, note, rating. What is left out stays; null gives back what the file says. */
    async describe(jobId: string, words: Operations['describeAnalysis']['body']): Promise<JobData> {
      const response = await call({ method: 'PATCH', path: pathOf(jobId), json: words });
      return (await response.json()) as JobData;
    },

    /**
     * Says what is true of a song; everything that shows it follows. Replaces what was said before.
     *
     * @example
     * ```ts
     * import { openAsBlob } from 'node:fs';
     * import { Earshot } from '@earshot/sdk';
     *
     * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
     * const job = await earshot.analyses.create({ file: await openAsBlob('song.mp3') });
     * const { result } = await job.wait();
     * await earshot.analyses.correct(job.id, { key: 'D minor' });
     * const corrected = await earshot.analyses.result(job.id);
     * console.log(result.key_notation, corrected.result?.key_notation);
     * await earshot.analyses.uncorrect(job.id);
     * ```
     */
    async correct(
      jobId: string,
      truth: Operations['replaceCorrections']['body'],
    ): Promise<Operations['replaceCorrections']['answer']> {
      const response = await call({ method: 'PUT', path: `${pathOf(jobId)}/corrections`, json: truth });
      return (await response.json()) as Operations['replaceCorrections']['answer'];
    },

    /** Takes a correction back: everything is as it was heard. */
    async uncorrect(jobId: string): Promise<void> {
      await call({ method: 'DELETE', path: `${pathOf(jobId)}/corrections` });
    },

    /** Songs that sound like this one, nearest first; itself is the first. */
    async similar(
      jobId: string,
      query: Operations['listSimilarAnalyses']['query'] = {},
    ): Promise<Operations['listSimilarAnalyses']['answer']> {
      const response = await call({ method: 'GET', path: `${pathOf(jobId)}/similar`, query });
      return (await response.json()) as Operations['listSimilarAnalyses']['answer'];
    },

    /** What mixes after it, best first. */
    async next(
      jobId: string,
      query: Operations['listNextAnalyses']['query'] = {},
    ): Promise<Operations['listNextAnalyses']['answer']> {
      const response = await call({ method: 'GET', path: `${pathOf(jobId)}/next`, query });
      return (await response.json()) as Operations['listNextAnalyses']['answer'];
    },

    /** Tags, deletes, collects or analyses again many songs at once: all of them or none. */
    async change(
      bulk: Operations['changeAnalyses']['body'] & { action: Exclude<BulkAction, 'export'> },
    ): Promise<Operations['changeAnalyses']['answer']> {
      const response = await call({ method: 'POST', path: '/v1/analyses/bulk', json: bulk });
      return (await response.json()) as Operations['changeAnalyses']['answer'];
    },

    /**
     * Many songs as another program reads them, as bytes: those of the ids, or all that a filter finds, 500 at most. `folder` is where
     * the files lie on your machine, for formats that name them.
     *
     * @example
     * ```ts
     * import { writeFile } from 'node:fs/promises';
     * import { Earshot } from '@earshot/sdk';
     *
     * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
     * const { bytes, songs } = await earshot.analyses.exportMany({ query: { bpm_min: 120 } }, 'csv');
     * await writeFile('songs.csv', bytes);
     * console.log(songs);
     * ```
     */
    async exportMany(
      which: Pick<Operations['changeAnalyses']['body'], 'ids' | 'query'>,
      format: CollectionFormat,
      folder?: string,
    ): Promise<{ bytes: Uint8Array; fileName: string; songs: number }> {
      const json = { ...which, action: 'export', format, folder };
      const response = await call({
        method: 'POST',
        path: '/v1/analyses/bulk',
        json,
        headers: { accept: '*/*' },
      });
      const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        fileName: named?.[1] ?? `songs.${format}`,
        songs: Number(response.headers.get('x-changed-count')),
      };
    },

    /** Deletes the audio that was kept; the result stays. */
    async deleteSource(jobId: string): Promise<void> {
      await call({ method: 'DELETE', path: `${pathOf(jobId)}/artifacts/source` });
    },

    /** As people say it is; with `asHeard`, as the engine said. */
    async result(jobId: string, options: { asHeard?: boolean } = {}): Promise<AnalysisResult> {
      const query = { as_heard: options.asHeard };
      const response = await call({ method: 'GET', path: `${pathOf(jobId)}/result`, query });
      return (await response.json()) as AnalysisResult;
    },

    async events(jobId: string): Promise<AnalysisEvent[]> {
      const response = await call({ method: 'GET', path: `${pathOf(jobId)}/events` });
      return (await response.json()) as AnalysisEvent[];
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
      await call({ method: 'DELETE', path: pathOf(jobId) });
    },
  };
}

function pathOf(jobId: string): string {
  return `/v1/analyses/${encodeURIComponent(jobId)}`;
}

async function download(call: Transport, path: string): Promise<Uint8Array> {
  const response = await call({ method: 'GET', path, headers: { accept: '*/*' } });
  return new Uint8Array(await response.arrayBuffer());
}

/** A slot takes one file, and is gone when the analysis no longer needs it. */
const SLOT_USED = new Set(['object_already_uploaded', 'gone']);

type FileUpload = {
  file: Blob;
  fileName: string | undefined;
  idempotencyKey: string;
  signal: AbortSignal | undefined;
};

/** What the service takes as a content type; a browser's guess for a file it does not know may be anything. */
const AUDIO_TYPE = /^(audio\/[a-z0-9.+-]+|video\/(mp4|webm)|application\/ogg)$/;

const KEY_CHARACTERS_MAX = 255;

/** Another one than the analysis's: a key stands for one request. */
function slotKey(idempotencyKey: string): string {
  return `upload-${idempotencyKey}`.slice(0, KEY_CHARACTERS_MAX);
}

/**
 * Straight to storage through a signed address, so that large files never pass through a second server. The slot's idempotency
 * key follows from that of the analysis: a program that repeats the whole submission fills the same slot and gets the same job.
 */
async function uploadFile(call: Transport, upload: FileUpload): Promise<string> {
  const { file, signal } = upload;
  const contentType = AUDIO_TYPE.test(file.type) ? file.type : 'application/octet-stream';
  const fileName = upload.fileName ?? ('name' in file ? String(file.name) : null);
  const response = await call({
    method: 'POST',
    path: '/v1/storage-objects',
    json: { content_type: contentType, purpose: 'upload', file_name: fileName },
    idempotencyKey: slotKey(upload.idempotencyKey),
    signal,
  });
  const slot = (await response.json()) as StorageObject;
  try {
    await call({
      method: 'PUT',
      path: slot.signed_url,
      body: file,
      headers: { 'content-type': contentType },
      // As long as it takes: a slow line is no failure, and the service cuts one that has stopped.
      timeoutMs: null,
      signal,
    });
  } catch (error) {
    // The file arrived before: the answer got lost on its way back, or the whole submission is being repeated.
    if (!(error instanceof ApiError && SLOT_USED.has(error.code ?? ''))) throw error;
  }
  return slot.id;
}
