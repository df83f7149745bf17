import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Stripe's webhook signature: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, with several v1 while a secret is rotated. The
 * sandbox signs the same way.
 *
 * The stripe package's own check is not used: it accepts timestamps from the future, and a signature that is not ASCII makes it throw
 * a RangeError.
 */

/** Stripe's own default, and what our contract promises. */
const TOLERANCE_SECONDS = 300;
/** More than ten times a header with two signatures (about 150 characters); bounds the work for an unauthenticated caller. */
const HEADER_CHARACTERS_MAX = 2_000;

export function signEvent(secret: string, rawBody: Buffer | string, now: Date): string {
  const unixSeconds = Math.floor(now.getTime() / 1000);
  return `t=${unixSeconds},v1=${digest(secret, unixSeconds, rawBody).toString('hex')}`;
}

export function isSignedEvent(
  secrets: readonly string[],
  rawBody: Buffer,
  header: string | null,
  now: Date,
): boolean {
  if (header === null || header.length > HEADER_CHARACTERS_MAX) return false;
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const [time, ...otherTimes] = parts.filter(([name]) => name === 't').map(([, value]) => value);
  // Node joins repeated headers into one; it would be ambiguous which timestamp counts.
  if (otherTimes.length > 0) return false;
  const unixSeconds = Number(time);
  if (!Number.isSafeInteger(unixSeconds)) return false;
  if (Math.abs(now.getTime() / 1000 - unixSeconds) > TOLERANCE_SECONDS) return false;
  const offered = parts.filter(([name]) => name === 'v1').map(([, value]) => Buffer.from(value ?? '', 'hex'));
  return secrets.some((secret) => {
    const expected = digest(secret, unixSeconds, rawBody);
    return offered.some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  });
}

function digest(secret: string, unixSeconds: number, rawBody: Buffer | string): Buffer {
  return createHmac('sha256', secret).update(`${unixSeconds}.`).update(rawBody).digest();
}
