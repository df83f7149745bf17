import { setTimeout as delay } from 'node:timers/promises';

/** What the condition answers as soon as it holds; throws, with what was waited for, when it does not in time, also when it never answers. */
export async function until(condition, what, { withinMs = 120_000, everyMs = 100 } = {}) {
  let timer;
  const over = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not within ${withinMs} ms: ${what}`)), withinMs);
  });
  try {
    for (;;) {
      const found = await Promise.race([condition(), over]);
      if (found) return found;
      await Promise.race([delay(everyMs), over]);
    }
  } finally {
    clearTimeout(timer);
  }
}
