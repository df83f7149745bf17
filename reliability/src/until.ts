import { setTimeout as delay } from 'node:timers/promises';

/** True as soon as the condition holds, false when it does not in time. A condition that throws does not hold yet. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 50,
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    if (await Promise.resolve(condition()).catch(() => false)) return true;
    if (performance.now() > deadlineMs) return false;
    await delay(everyMs);
  }
}
