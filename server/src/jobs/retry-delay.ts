const FIRST_MS = 2_000;
const LONGEST_MS = 300_000;

/** 2 s, 8 s, 32 s … up to 5 minutes, each up to a quarter longer or shorter, so that what failed together returns apart. */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  const delayMs = Math.min(FIRST_MS * 4 ** (attempt - 1), LONGEST_MS);
  return Math.round(delayMs * (0.75 + 0.5 * random()));
}
