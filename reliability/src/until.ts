import { setTimeout as delay } from 'node:timers/promises';

/** Plenty on a machine that does other things too. */
const SOON_MS_MAX = 30_000;

/** True as soon as the condition holds, false when it does not in time. A condition that throws does not hold yet. */
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

/** For what must be so, or the rest would prove nothing. */
export async function expectSoon(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  if (!(await until(condition, SOON_MS_MAX))) throw new Error(`It did not come to pass that ${what}`);
}

async function holds(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await condition();
  } catch {
    return false;
  }
}
