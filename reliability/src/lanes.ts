/** Chosen: a world waits for leases and restarts most of the time, so that two fit on a machine of two cores. */
const LANE_COUNT = 2;

/**
 * Runs items two at a time, in order; then, one after the other with nothing beside them, those that measure time.
 */
export async function runInLanes<T>(
  items: readonly T[],
  isAlone: (item: T) => boolean,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.filter((item) => !isAlone(item));
  const takeNext = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: LANE_COUNT }, takeNext));
  for (const item of items.filter(isAlone)) await run(item);
}
