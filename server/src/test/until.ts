import { setTimeout as delay } from 'node:timers/promises';

/** Of a condition, which may be a query. */
const CHECK_INTERVAL_MS = 10;
/** For a busy machine. A test that waits longer has its own reason. */
const TIMEOUT_MS = 30_000;

/** Resolves as soon as the condition holds; throws with the description when it does not within the timeout. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  description: string,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`Not within ${timeoutMs} ms: ${description}`);
    await delay(CHECK_INTERVAL_MS);
  }
}
