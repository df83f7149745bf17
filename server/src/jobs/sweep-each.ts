import type { Dependencies } from '../context.ts';
import { AppError } from '../errors.ts';

/** Chosen: the sweep has other work. One file that may not be deleted fails at once; a store that is away fails each one slowly. */
const FAILING_MS_MAX = 20_000;

/**
 * Does what a sweeper does to one thing after the other; returns for how many it succeeded. One that fails is logged, and does not keep
 * the others from their turn. Throws when it fails for all: the database is away, or failures take too long.
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
      log.error({ err: error, id }, 'A sweeper failed at one thing and goes on with the next');
    }
  }
  return sweptCount;
}
