import { setTimeout as delay } from 'node:timers/promises';

/** Resolves as soon as the condition holds; throws with the description when it does not within the timeout. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  description: string,
  timeoutMs = 30_000,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`Not within ${timeoutMs} ms: ${description}`);
    await delay(10);
  }
}
