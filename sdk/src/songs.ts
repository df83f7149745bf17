import { analysisPath } from './analysis-path.ts';
import type { JobData } from './job.ts';
import { nextAfter, paginate } from './paginate.ts';
import { callAndDiscard, readJson, type Transport } from './transport.ts';
import type { Operations } from './wire-types.generated.ts';

/**
 * Filter and order of songs: every parameter of the list except those for its pages.
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

/** Search, similarity, and export of many songs. */
export function searchMethods(call: Transport) {
  return {
    /**
     * All songs that match the filter, newest first by default; pages are fetched as you iterate.
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
     * One page of matching songs, and how many match in all: with a filter, counting stops at 10,000 and `totalIsExact` is false
     * beyond. `next` is the `after` of the next page, null on the last page.
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
        songs: await readJson<JobData[]>(response),
        // The service sends the total with every list of songs.
        total: Number(response.headers.get('x-total-count')),
        totalIsExact: response.headers.get('x-total-count-relation') !== 'at-least',
        next: nextAfter(response.headers.get('link')),
      };
    },

    /** Songs that sound like this one, most similar first; the first is the song itself. */
    async similar(
      jobId: string,
      query: Operations['listSimilarAnalyses']['query'] = {},
    ): Promise<Operations['listSimilarAnalyses']['response']> {
      return readJson(await call({ method: 'GET', path: `${analysisPath(jobId)}/similar`, query }));
    },

    /** Songs that mix well after this one, best first. */
    async next(
      jobId: string,
      query: Operations['listNextAnalyses']['query'] = {},
    ): Promise<Operations['listNextAnalyses']['response']> {
      return readJson(await call({ method: 'GET', path: `${analysisPath(jobId)}/next`, query }));
    },

    /**
     * Up to 500 songs, given by ids or by a filter, in one file of another program. `folder` is where the audio files are on your
     * machine, for formats that contain their paths.
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
      const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
      return {
        bytes: new Uint8Array(await response.arrayBuffer()),
        fileName: fileName?.[1] ?? `songs.${format}`,
        // The service sends the count with every export.
        songs: Number(response.headers.get('x-changed-count')),
      };
    },
  };
}

/** Descriptions, corrections and bulk changes. */
export function editMethods(call: Transport) {
  return {
    /** Sets title, artist, album, tags, note, rating. Omitted fields stay; null restores what the file's tags say. */
    async describe(jobId: string, changes: Operations['describeAnalysis']['body']): Promise<JobData> {
      return readJson(await call({ method: 'PATCH', path: analysisPath(jobId), json: changes }));
    },

    /**
     * Corrects a result; replaces any earlier correction. Everything derived from the result follows.
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
      correction: Operations['replaceCorrections']['body'],
    ): Promise<Operations['replaceCorrections']['response']> {
      return readJson(
        await call({ method: 'PUT', path: `${analysisPath(jobId)}/corrections`, json: correction }),
      );
    },

    /** Removes the correction: the result is the engine's again. */
    async uncorrect(jobId: string): Promise<void> {
      await callAndDiscard(call, { method: 'DELETE', path: `${analysisPath(jobId)}/corrections` });
    },

    /** Tags, deletes, collects or re-analyses many songs at once: all of them or none. */
    async change(
      bulk: Operations['changeAnalyses']['body'] & { action: Exclude<BulkAction, 'export'> },
    ): Promise<Operations['changeAnalyses']['response']> {
      return readJson(await call({ method: 'POST', path: '/v1/analyses/bulk', json: bulk }));
    },
  };
}
