import type { JobData } from './job.ts';
import { nextAfter, paginate } from './paginate.ts';
import { readJson, sendOnly, type Transport } from './transport.ts';
import type { Operations } from './wire-types.generated.ts';

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

/** Which songs there are, what is like them, and many of them as one file. */
export function findingOf(call: Transport) {
  return {
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
        songs: await readJson<JobData[]>(response),
        // The service counts every list of songs.
        total: Number(response.headers.get('x-total-count')),
        totalIsExact: response.headers.get('x-total-count-relation') !== 'at-least',
        next: nextAfter(response.headers.get('link')),
      };
    },

    /** Songs that sound like this one, nearest first; itself is the first. */
    async similar(
      jobId: string,
      query: Operations['listSimilarAnalyses']['query'] = {},
    ): Promise<Operations['listSimilarAnalyses']['response']> {
      return readJson(await call({ method: 'GET', path: `${pathOf(jobId)}/similar`, query }));
    },

    /** What mixes after it, best first. */
    async next(
      jobId: string,
      query: Operations['listNextAnalyses']['query'] = {},
    ): Promise<Operations['listNextAnalyses']['response']> {
      return readJson(await call({ method: 'GET', path: `${pathOf(jobId)}/next`, query }));
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
  };
}

/** What people say of a song, and what is done to many at once. */
export function changingOf(call: Transport) {
  return {
    /** Title, artist, album, tags, note, rating. What is left out stays; null gives back what the file says. */
    async describe(jobId: string, words: Operations['describeAnalysis']['body']): Promise<JobData> {
      return readJson(await call({ method: 'PATCH', path: pathOf(jobId), json: words }));
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
    ): Promise<Operations['replaceCorrections']['response']> {
      return readJson(await call({ method: 'PUT', path: `${pathOf(jobId)}/corrections`, json: truth }));
    },

    /** Takes a correction back: everything is as it was heard. */
    async uncorrect(jobId: string): Promise<void> {
      await sendOnly(call, { method: 'DELETE', path: `${pathOf(jobId)}/corrections` });
    },

    /** Tags, deletes, collects or analyses again many songs at once: all of them or none. */
    async change(
      bulk: Operations['changeAnalyses']['body'] & { action: Exclude<BulkAction, 'export'> },
    ): Promise<Operations['changeAnalyses']['response']> {
      return readJson(await call({ method: 'POST', path: '/v1/analyses/bulk', json: bulk }));
    },
  };
}

export function pathOf(jobId: string): string {
  return `/v1/analyses/${encodeURIComponent(jobId)}`;
}
