import { BATCH_SONGS_MAX } from '../service-limits.ts';

/** Changes songs, a batch by each request: the service changes all of a batch or none. Calls `onChanged` when any were. */
export async function changeInBatches(
  ids: readonly string[],
  change: (batch: string[]) => Promise<unknown>,
  onChanged: () => void,
): Promise<void> {
  let changedCount = 0;
  try {
    while (changedCount < ids.length) {
      const batch = ids.slice(changedCount, changedCount + BATCH_SONGS_MAX);
      await change(batch);
      changedCount += batch.length;
    }
  } catch (error) {
    if (changedCount === 0) throw error;
    throw new Error(`${changedCount} of ${ids.length} songs were changed. ${(error as Error).message}`);
  } finally {
    if (changedCount > 0) onChanged();
  }
}
