/**
 * Runs this many workers until all have finished. When one fails, `stop` must keep the others from starting anything new; what
 * they have started is awaited, so that no work that was done is lost. Resolves to the first failure, or null.
 */
export async function runWorkers(
  workerCount: number,
  work: () => Promise<void>,
  stop: () => void,
): Promise<{ error: unknown } | null> {
  let firstFailure: { error: unknown } | null = null;
  const run = () =>
    work().catch((error: unknown) => {
      firstFailure ??= { error };
      stop();
    });
  await Promise.all(Array.from({ length: workerCount }, run));
  return firstFailure;
}
