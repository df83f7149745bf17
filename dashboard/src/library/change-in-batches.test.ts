import { describe, expect, it } from 'vitest';
import { changeInBatches } from './change-in-batches.ts';

const songs = (count: number) => Array.from({ length: count }, (_, n) => `job_${n}`);

/** Changes so many songs with a service that refuses one request of them. */
async function change(count: number, refused = -1) {
  const sent: string[][] = [];
  let changes = 0;
  const done = changeInBatches(
    songs(count),
    async (ids) => {
      if (sent.length === refused) throw new Error('No credits are left.');
      sent.push(ids);
    },
    () => {
      changes += 1;
    },
  );
  const problem = await done.then(
    () => null,
    (error: Error) => error.message,
  );
  return { sent, changes, problem };
}

describe('a change of many songs', () => {
  it.each([
    [1, [1]],
    [500, [500]],
    [501, [500, 1]],
    [1_201, [500, 500, 201]],
  ])('of %i sends %j, every song once and in order', async (count, sizes) => {
    const { sent, changes, problem } = await change(count);
    expect(sent.map(({ length }) => length)).toEqual(sizes);
    expect(sent.flat()).toEqual(songs(count));
    expect([changes, problem]).toEqual([1, null]);
  });

  it('that is refused at once changed nothing', async () => {
    expect(await change(700, 0)).toEqual({ sent: [], changes: 0, problem: 'No credits are left.' });
  });

  it('that is refused on the way says how far it came, and what was changed is shown', async () => {
    expect(await change(1_201, 2)).toMatchObject({
      changes: 1,
      problem: '1000 of 1201 songs were changed. No credits are left.',
    });
  });
});
