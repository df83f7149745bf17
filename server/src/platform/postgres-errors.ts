import { AppError } from '../errors.ts';

/**
 * Retryable: classes 08 (connection, but for 08P01, a protocol violation) and 53 (resources), 57P01 to 57P03 (shutting down, crashed,
 * starting), 57P05 (idle session), 57014 (statement timeout), 25006 (read only), 25P03 (idle in transaction), 55P03 (lock timeout).
 */
const TRANSIENT_SQLSTATE = /^(08(?!P01)|53|57P0[1235]|57014|25006|25P03|55P03)/;
const TRANSIENT_SYSTEM_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // A name that does not resolve yet: containers start in any order.
  'EAI_AGAIN',
  'ENOTFOUND',
]);

/** True when the database is unreachable, starting, full or too slow, so that another try may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code !== null) return TRANSIENT_SQLSTATE.test(code) || TRANSIENT_SYSTEM_ERRORS.has(code);
  // Errors of pg and pg-pool that have no code.
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
    error.message,
  );
}

export function rethrowAsUnavailable(error: unknown): never {
  if (!isDatabaseUnavailable(error)) throw error;
  throw unavailable(error);
}

export function unavailable(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'The service cannot reach its database right now. Try again in a few seconds.',
    { cause, retryAfterSeconds: 5 },
  );
}
