import { AppError } from '../errors.ts';

/**
 * Classes 08 (connection) and 53 (resources), 57P0x (shutting down, starting), 57014 (statement timeout), 25006 (read only),
 * 25P03 (idle in transaction for too long), 55P03 (lock timeout): the same request may succeed in a moment.
 */
const TRANSIENT_SQLSTATE = /^(08|53|57P0|57014|25006|25P03|55P03)/;
const TRANSIENT_SYSTEM_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAGAIN',
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
