import { setTimeout as delay } from 'node:timers/promises';

/** Resolves with the first truthy result of `condition`; rejects after `withinMs`, even if a call of `condition` never settles. */
export async function until(condition, what, { withinMs = 120_000, everyMs = 100 } = {}) {
  let timer;
  const deadline = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not within ${withinMs} ms: ${what}`)), withinMs);
  });
  try {
    for (;;) {
      const found = await Promise.race([condition(), deadline]);
      if (found) return found;
      await Promise.race([delay(everyMs), deadline]);
    }
  } finally {
    clearTimeout(timer);
  }
}
