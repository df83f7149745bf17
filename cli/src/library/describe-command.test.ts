import { describe, expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { runDescribe } from './describe-command.ts';

const SONG = { id: 'job_1', status: 'completed', file_name: 'song.mp3', headline: null };
const service = await startTestService(() => ({ body: SONG }));

describe('earshot describe', () => {
  it('sends the values given, and null for empty ones', async () => {
    await runDescribe(['job_1', '--title', 'Blue Hour', '--album', '', '--rating', '4', '--tag', 'warm-up']);
    expect(service.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/v1/analyses/job_1',
      body: { title: 'Blue Hour', album: null, rating: 4, tags: ['warm-up'] },
    });
    expect(service.printed).toEqual(['job_1  completed  song.mp3']);
  });

  it('clears the rating and the tags', async () => {
    await runDescribe(['job_1', '--rating', '', '--tag', '']);
    expect(service.requests[0]!.body).toEqual({ rating: null, tags: [] });
  });

  it.each([
    [[], /which song\?/],
    [['job_1'], /say something/],
    [['job_1', 'Blue', '--title', 'Hour'], /what is "Blue" for\?/],
  ])('%j changes nothing', async (args, sentence) => {
    const failure = await runDescribe(args).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(sentence);
    expect(service.requests).toEqual([]);
  });
});
