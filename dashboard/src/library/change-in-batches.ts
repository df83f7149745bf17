import { BATCH_SONGS_MAX } from '../service-limits.ts';

/** One request per batch, which the service changes completely or not at all. Calls `onChanged` once if any batch was changed. */
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
