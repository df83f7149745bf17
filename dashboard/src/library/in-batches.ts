/** As many songs as the service changes or exports by one request. */
export const BATCH_SONGS_MAX = 500;

/** Changes songs, a batch by each request: the service changes all of a batch or none. Calls `onChanged` when any were. */
export async function inBatches(
  ids: readonly string[],
  change: (batch: string[]) => Promise<unknown>,
  onChanged: () => void,
): Promise<void> {
  let changed = 0;
  try {
    while (changed < ids.length) {
      const batch = ids.slice(changed, changed + BATCH_SONGS_MAX);
      await change(batch);
      changed += batch.length;
    }
  } catch (error) {
    if (changed === 0) throw error;
    throw new Error(`${changed} of ${ids.length} songs were changed. ${(error as Error).message}`);
  } finally {
    if (changed > 0) onChanged();
  }
}
