import { describe, expect, it } from 'vitest';
import { changeInBatches } from './change-in-batches.ts';

const songs = (count: number) => Array.from({ length: count }, (_, n) => `job_${n}`);

/** Changes `count` songs through a service that refuses the request with this index. */
async function change(count: number, refusedIndex: number | null = null) {
  const sent: string[][] = [];
  let changedCalls = 0;
  const done = changeInBatches(
    songs(count),
    async (ids) => {
      if (sent.length === refusedIndex) throw new Error('No credits are left.');
      sent.push(ids);
    },
    () => {
      changedCalls += 1;
    },
  );
  const problem = await done.then(
    () => null,
    (error: Error) => error.message,
  );
  return { sent, changedCalls, problem };
}

describe('changeInBatches', () => {
  it.each([
    [1, [1]],
    [500, [500]],
    [501, [500, 1]],
    [1_201, [500, 500, 201]],
  ])('splits %i songs into batches of %j, each song once and in order', async (count, sizes) => {
    const { sent, changedCalls, problem } = await change(count);
    expect(sent.map(({ length }) => length)).toEqual(sizes);
    expect(sent.flat()).toEqual(songs(count));
    expect([changedCalls, problem]).toEqual([1, null]);
  });

  it('passes on the refusal of the first batch, when nothing was changed', async () => {
    expect(await change(700, 0)).toEqual({ sent: [], changedCalls: 0, problem: 'No credits are left.' });
  });

  it('says how many songs were changed before a later batch was refused', async () => {
    expect(await change(1_201, 2)).toMatchObject({
      changedCalls: 1,
      problem: '1000 of 1201 songs were changed. No credits are left.',
    });
  });
});
