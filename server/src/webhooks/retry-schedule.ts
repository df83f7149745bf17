const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first, second, … failed attempt: the sample schedule of Standard Webhooks, about 75 hours in all. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Chosen: those who failed together come back apart, and within a fifth of what is promised. */
const JITTER_FRACTION = 0.2;
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;

/** Attempts at one delivery before it has failed for good. */
export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1;

/**
 * How long to wait after attempt number `attempt` (from 1) failed; null when that was the last. A receiver's
 * Retry-After may lengthen the wait, never shorten it.
 */
export function retryDelayMs(input: {
  attempt: number;
  retryAfterMs: number | null;
  /** Uniform in 0..1. */
  random: number;
}): number | null {
  const plannedMs = RETRY_DELAYS_MS[input.attempt - 1];
  if (plannedMs === undefined) return null;
  const jitteredMs = plannedMs * (1 + JITTER_FRACTION * (2 * input.random - 1));
  const askedMs = Math.min(input.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return Math.round(Math.max(jitteredMs, askedMs));
}

/** Retry-After as seconds or as an HTTP date; null when absent or unreadable. */
export function parseRetryAfterMs(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  // Date.parse alone would take "-5" for a year.
  const dateMs = /^[A-Z][a-z]+,? .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - now.getTime());
}
