const FIRST_MS = 2_000;
const LONGEST_MS = 300_000;

/** 2 s, 8 s, 32 s … up to 5 minutes, each varied by up to a quarter, so that jobs that failed together do not retry together. */
export function jobRetryDelayMs(attempt: number, random: () => number = Math.random): number {
  const delayMs = Math.min(FIRST_MS * 4 ** (attempt - 1), LONGEST_MS);
  return Math.round(delayMs * (0.75 + 0.5 * random()));
}
