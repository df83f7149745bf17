/** Two worlds wait for leases and restarts most of the time; two cores have room for both. */
const LANES = 2;

/**
 * Runs what may have company in lanes, in the order it comes; then, one after the other on a machine that does nothing else, what measures time.
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
  await Promise.all(Array.from({ length: LANES }, takeNext));
  for (const item of items.filter(isAlone)) await run(item);
}
