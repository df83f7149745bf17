import { beforeEach, describe, expect, it } from 'vitest';
import { startTestService } from '../test-service.ts';
import { UsageError } from '../usage-error.ts';
import { runBulk } from './bulk-command.ts';

/** Of `analyse_again`, `job_ids` has the new analyses; of every other action it is empty. */
let outcome: { matched: number; changed: number; job_ids: string[] };
const service = await startTestService(() => ({ body: outcome }));
beforeEach(() => {
  outcome = { matched: 2, changed: 1, job_ids: [] };
});

describe('earshot bulk', () => {
  it('changes the songs that are named, and counts the changed ones', async () => {
    await runBulk(['add-to-collection', 'job_1', 'job_2', '--to', 'col_1']);
    expect(service.requests[0]!.body).toEqual({
      ids: ['job_1', 'job_2'],
      action: 'add_to_collection',
      collection_id: 'col_1',
    });
    expect(service.printed).toEqual(['1 of 2 songs']);
  });

  it('lists the analyses that analyse-again starts', async () => {
    outcome = { matched: 1, changed: 1, job_ids: ['job_9'] };
    await runBulk(['analyse-again', 'job_1']);
    expect(service.requests[0]!.body).toEqual({ ids: ['job_1'], action: 'analyse_again' });
    expect(service.printed).toEqual(['1 of 1 songs', 'job_9']);
  });

  it('separates the tags to filter by from the tags to add', async () => {
    await runBulk(['tag', '--tags', 'set', '--with-tag', 'warm-up', '--loudness-min', '-8']);
    expect(service.requests[0]!.body).toEqual({
      query: { tag: ['warm-up'], loudness_min: '-8' },
      action: 'tag',
      tags: ['set'],
    });
  });

  it.each([
    [['delete', 'job_1'], /say --yes/],
    [['tag', '--tags', 'set'], /which songs\?/],
    [['tag', 'job_1', '--bpm-min', '120', '--tags', 'set'], /which songs\?/],
    [['burn', 'job_1'], /tag, untag, delete, add-to-collection, analyse-again/],
  ])('%j changes nothing', async (args, sentence) => {
    const failure = await runBulk(args).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as Error).message).toMatch(sentence);
    expect(service.requests).toEqual([]);
  });
});
