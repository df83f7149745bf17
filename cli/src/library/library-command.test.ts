import { describe, expect, it } from 'vitest';
import { type Answer, startTestService } from '../test-service.ts';
import { runLibrary, runSimilar } from './library-command.ts';

const JOB = { id: 'job_1', status: 'queued', file_name: 'song.mp3', headline: null };
const SIMILAR = { job: JOB, similarity: 0.5, reason: 'the same instruments' };
const NEXT = { job: JOB, score: 0.25, reason: 'one step up' };

let total: Record<string, string>;
const service = await startTestService(({ path }): Answer => {
  if (path.endsWith('/similar')) return { body: [SIMILAR] };
  if (path.endsWith('/next')) return { body: [NEXT] };
  return path === '/v1/analyses' ? { body: [], headers: total } : { body: JOB };
});

describe('earshot library', () => {
  it.each([
    ['exact', '0 of 10000 songs'],
    ['at-least', '0 of more than 10000 songs'],
  ])('tells a total that is %s', async (relation, told) => {
    total = { 'x-total-count': '10000', 'x-total-count-relation': relation };
    await runLibrary(['night']);
    expect(service.told).toEqual([told]);
  });
});

describe('earshot similar', () => {
  it('prints how like each is, and why', async () => {
    await runSimilar(['job_1', '--by', 'rhythm', '--limit', '3']);
    expect(service.asked[0]).toMatchObject({ path: '/v1/analyses/job_1/similar' });
    expect(Object.fromEntries(service.asked[0]!.query)).toEqual({ by: 'rhythm', limit: '3' });
    expect(service.printed).toEqual(['0.50  job_1  queued  song.mp3\n      the same instruments']);
  });

  it('prints with --next how well each mixes', async () => {
    await runSimilar(['job_1', '--next']);
    expect(service.printed).toEqual(['0.25  job_1  queued  song.mp3\n      one step up']);
  });

  it.each([
    [[], [SIMILAR]],
    [['--next'], [NEXT]],
  ])('%j prints with --json what the service answered', async (options, answered) => {
    await runSimilar(['job_1', '--json', ...options]);
    expect(JSON.parse(service.printed[0]!)).toEqual(answered);
  });
});
