import { DAY_MS, HOUR_MS } from '../platform/time-units.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** The delay after each failed attempt: the sample schedule of the Standard Webhooks specification, 75.6 hours in total. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
];
/** Either way. Spreads deliveries that failed together, yet stays close to the promised schedule. */
const JITTER_FRACTION = 0.2;
/** The longest delay of our own schedule: a receiver cannot postpone a delivery indefinitely. */
const RETRY_AFTER_MS_MAX = DAY_MS;

/**
 * The delay after failed attempt number `attempt` (from 1); null after the last one. A receiver's Retry-After may lengthen the delay,
 * never shorten it.
 */
export function deliveryRetryDelayMs(input: {
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
export function parseRetryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  // Date.parse alone would accept "-5" as a date.
  const dateMs = /^[A-Z][a-z]+,? .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - now.getTime());
}
