/**
 * A signal that aborts after a timeout, or when one of its parent signals aborts.
 *
 * Replaces `AbortSignal.any([signal, AbortSignal.timeout(n)])`, which on Node 20 holds its timer only by weak references and never
 * fires after a garbage collection. Call `clear` when the work is done: until then the timer keeps the process alive, and
 * the parents keep their listeners.
 *
 * @example
 * ```ts
 * import { type Deadline, startDeadline } from '@earshot/sdk';
 *
 * const deadline: Deadline = startDeadline(5_000);
 * console.log(deadline.signal.aborted);
 * deadline.clear();
 * ```
 */
export type Deadline = { readonly signal: AbortSignal; clear(): void };

/** The longest delay of a timer; a longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Without `timeoutMs` (null) only the parents abort it. The reason is a TimeoutError, or that of the parent.
 *
 * @example
 * ```ts
 * import { startDeadline } from '@earshot/sdk';
 *
 * const { signal, clear } = startDeadline(5_000);
 * const response = await fetch('http://localhost:8080/health', { signal }).finally(clear);
 * console.log(response.status);
 * ```
 */
export function startDeadline(
  timeoutMs: number | null,
  ...parents: readonly (AbortSignal | undefined)[]
): Deadline {
  const controller = new AbortController();
  const listeners: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clear = () => {
    clearTimeout(timer);
    for (const remove of listeners.splice(0)) remove();
  };
  const abort = (reason: unknown) => {
    clear();
    controller.abort(reason);
  };
  for (const parent of parents) {
    if (!parent) continue;
    if (parent.aborted) {
      abort(parent.reason);
      return { signal: controller.signal, clear };
    }
    const onAbort = () => abort(parent.reason);
    parent.addEventListener('abort', onAbort, { once: true });
    listeners.push(() => parent.removeEventListener('abort', onAbort));
  }
  if (timeoutMs !== null) {
    timer = setTimeout(
      () => abort(new DOMException(`Not done within ${timeoutMs} ms`, 'TimeoutError')),
      Math.min(timeoutMs, TIMER_MS_MAX),
    );
  }
  return { signal: controller.signal, clear };
}

/**
 * Runs `work` with a deadline, which is cleared when the work settles.
 *
 * @example
 * ```ts
 * import { withDeadline } from '@earshot/sdk';
 *
 * const response = await withDeadline(5_000, (signal) => fetch('http://localhost:8080/health', { signal }));
 * console.log(response.status);
 * ```
 */
export async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  ...parents: readonly (AbortSignal | undefined)[]
): Promise<T> {
  const deadline = startDeadline(timeoutMs, ...parents);
  try {
    return await work(deadline.signal);
  } finally {
    deadline.clear();
  }
}
