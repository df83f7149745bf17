/**
 * A signal that aborts when its time is over, or when one of its parents does.
 *
 * In place of `AbortSignal.any([signal, AbortSignal.timeout(n)])`, which on Node 20 never fires once a garbage collection has
 * passed over it: nothing but weak references holds its timer. Here an ordinary timer does. Call `clear` when the work is
 * done, or the timer keeps the process, and the parents keep their listeners.
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

/** What a timer can hold; a longer one is over at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * `timeoutMs` null: only the parents end it. Its reason is a TimeoutError, or that of the parent.
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
  const end = (reason: unknown) => {
    clear();
    controller.abort(reason);
  };
  for (const parent of parents) {
    if (!parent) continue;
    if (parent.aborted) {
      end(parent.reason);
      return { signal: controller.signal, clear };
    }
    const follow = () => end(parent.reason);
    parent.addEventListener('abort', follow, { once: true });
    listeners.push(() => parent.removeEventListener('abort', follow));
  }
  if (timeoutMs !== null) {
    timer = setTimeout(
      () => end(new DOMException(`Not done within ${timeoutMs} ms`, 'TimeoutError')),
      Math.min(timeoutMs, TIMER_MS_MAX),
    );
  }
  return { signal: controller.signal, clear };
}

/**
 * Runs `work` with a deadline, which is cleared when it has ended one way or the other.
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
