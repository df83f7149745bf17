import { setTimeout as delay } from 'node:timers/promises';

/** Generous, for a busy machine. */
const SOON_MS_MAX = 30_000;

/** True as soon as the condition holds, false after the timeout. A condition that throws counts as not yet true. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 50,
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    if (await holds(condition)) return true;
    if (performance.now() > deadlineMs) return false;
    await delay(everyMs);
  }
}

/** Throws unless the condition becomes true: for preconditions without which a scenario would prove nothing. */
export async function expectSoon(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  if (!(await until(condition, SOON_MS_MAX))) throw new Error(`Not within ${SOON_MS_MAX / 1000} s: ${what}`);
}

async function holds(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await condition();
  } catch {
    return false;
  }
}
