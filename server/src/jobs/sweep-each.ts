import type { Dependencies } from '../context.ts';
import { AppError } from '../errors.ts';

/** The sweep has other work. A file that may not be deleted fails at once, but with a file store that is away each failure is slow. */
const FAILING_MS_MAX = 20_000;

/**
 * Calls `sweepOne` for one id after the other; returns how often it succeeded. A failure is logged and does not stop the others. Throws
 * when all would fail: the database is away (an AppError), or failures have taken too long.
 */
export async function sweepEach(
  { log }: Pick<Dependencies, 'log'>,
  ids: readonly string[],
  sweepOne: (id: string) => Promise<unknown>,
): Promise<number> {
  let [sweptCount, failingMs] = [0, 0];
  for (const id of ids) {
    const startedMs = performance.now();
    try {
      await sweepOne(id);
      sweptCount += 1;
    } catch (error) {
      failingMs += performance.now() - startedMs;
      if (error instanceof AppError || failingMs > FAILING_MS_MAX) throw error;
      log.error({ err: error, id }, 'A sweeper failed on one item and continues with the next');
    }
  }
  return sweptCount;
}
