/** A world mostly waits for leases and restarts, so a machine of two cores has room for two. */
const LANE_COUNT = 2;

/** Runs items two at a time, in order; then those that must run alone, one after the other. */
export async function runInLanes<T>(
  items: readonly T[],
  mustRunAlone: (item: T) => boolean,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.filter((item) => !mustRunAlone(item));
  const takeNext = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: LANE_COUNT }, takeNext));
  for (const item of items.filter(mustRunAlone)) await run(item);
}
