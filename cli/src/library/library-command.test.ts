import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Answer, startTestService } from '../test-service.ts';
import { runLibrary, runSimilar } from './library-command.ts';

const JOB = { id: 'job_1', status: 'queued', file_name: 'song.mp3', headline: null };
const SIMILAR = { job: JOB, similarity: 0.5, reason: 'the same\u0007 instruments' };
const NEXT = { job: JOB, score: 0.25, reason: 'one step up' };
const EXPORTED = ['two songs'];

let total: Record<string, string>;
const service = await startTestService(({ path }): Answer => {
  if (path.endsWith('/similar')) return { body: [SIMILAR] };
  if (path.endsWith('/bulk')) return { headers: { 'x-changed-count': '2' }, body: EXPORTED };
  if (path.endsWith('/next')) return { body: [NEXT] };
  return path === '/v1/analyses' ? { body: [JOB], headers: total } : { body: JOB };
});

const LIST = { 'x-total-count': '1', 'x-total-count-relation': 'exact' };

describe('earshot library', () => {
  it('searches for the words with the filters, the sort order and the limit', async () => {
    total = LIST;
    await runLibrary(['night', 'bus', '--bpm-min', '120', '--tag', 'a', '--tag', 'b', '--sort', '-bpm']);
    await runLibrary(['--limit', '3']);
    const [search, limited] = service.requests.map(({ query }) => query);
    expect(search!.get('q')).toBe('night bus');
    expect(search!.get('bpm_min')).toBe('120');
    expect(search!.getAll('tag')).toEqual(['a', 'b']);
    expect(search!.get('sort')).toBe('-bpm');
    expect(search!.get('limit')).toBe('50');
    expect([...limited!]).toEqual([['limit', '3']]);
  });

  it('exports all songs found to a file, unchanged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-library-'));
    const path = join(folder, 'songs.csv');
    await runLibrary(['night', '--export', 'csv', '--folder', 'C:/Music', '--out', path]);
    expect(service.requests).toMatchObject([
      {
        path: '/v1/analyses/bulk',
        body: { query: { q: 'night' }, action: 'export', format: 'csv', folder: 'C:/Music' },
      },
    ]);
    expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(EXPORTED));
    expect(service.errorLines).toEqual(['2 songs']);
    rmSync(folder, { recursive: true });
  });

  it('prints an export without --out', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await runLibrary(['night', '--export', 'csv']);
    expect(write.mock.calls.map(([bytes]) => Buffer.from(bytes).toString())).toEqual([
      JSON.stringify(EXPORTED),
    ]);
  });

  it.each([
    ['exact', '1 of 10000 songs'],
    ['at-least', '1 of more than 10000 songs'],
  ])('prints the songs, and on standard error a total that is %s', async (relation, counted) => {
    total = { 'x-total-count': '10000', 'x-total-count-relation': relation };
    await runLibrary(['night']);
    expect([service.printed, service.errorLines]).toEqual([['job_1  queued  song.mp3'], [counted]]);
  });

  it('prints only the answer of the service with --json', async () => {
    total = LIST;
    await runLibrary(['night', '--json']);
    expect(service.printed.map((text) => JSON.parse(text))).toEqual([[JOB]]);
    expect(service.errorLines).toEqual([]);
  });
});

describe('earshot similar', () => {
  it('prints how similar each song is, and why', async () => {
    await runSimilar(['job_1', '--by', 'rhythm', '--limit', '3']);
    expect(service.requests[0]).toMatchObject({ path: '/v1/analyses/job_1/similar' });
    expect(Object.fromEntries(service.requests[0]!.query)).toEqual({ by: 'rhythm', limit: '3' });
    expect(service.printed).toEqual(['0.50  job_1  queued  song.mp3\n      the same\ufffd instruments']);
  });

  it('prints how well each song mixes with --next', async () => {
    await runSimilar(['job_1', '--next', '--limit', '3']);
    expect([...service.requests[0]!.query]).toEqual([['limit', '3']]);
    expect(service.printed).toEqual(['0.25  job_1  queued  song.mp3\n      one step up']);
  });

  it.each([
    [[], [SIMILAR]],
    [['--next'], [NEXT]],
  ])('%j prints the answer of the service with --json', async (options, answered) => {
    await runSimilar(['job_1', '--json', ...options]);
    expect([...service.requests[0]!.query]).toEqual([['limit', '10']]);
    expect(JSON.parse(service.printed[0]!)).toEqual(answered);
  });
});
