/**
 * So many workers at once, until all are done. When one fails, `stop` keeps the others from beginning anything new, and what they
 * have begun is waited for: nothing goes on unseen, and nothing that was done is lost. The first failure, or null.
 */
export async function workTogether(
  workerCount: number,
  work: () => Promise<void>,
  stop: () => void,
): Promise<{ error: unknown } | null> {
  let first: { error: unknown } | null = null;
  const run = () =>
    work().catch((error: unknown) => {
      first ??= { error };
      stop();
    });
  await Promise.all(Array.from({ length: workerCount }, run));
  return first;
}
