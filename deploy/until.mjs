import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is yes. */
export async function until(condition, what, { withinMs = 120_000, everyMs = 100 } = {}) {
  for (const deadlineMs = performance.now() + withinMs; !(await condition()); await delay(everyMs)) {
    if (performance.now() > deadlineMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
  }
}

export function expect(actual, wanted) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`Expected ${right}, got ${left}`);
}
