import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../errors.ts';

/** The bytes that arrived do not have the stored hash. */
export class ObjectDamaged extends Error {
  constructor(key: string) {
    super(`The object ${key} arrived damaged`);
    this.name = 'ObjectDamaged';
  }
}

/** A failure of about a second is bridged: the pauses are 50, 200 and 800 ms. A client can repeat the request after a longer one. */
const TRIES_MAX = 4;
const FIRST_PAUSE_MS = 50;
const PAUSE_GROWTH_RATIO = 4;

/** Repeats a call after a transient failure; the last one becomes a 503, unless the object stays damaged. A refusal is not repeated. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (tries === TRIES_MAX) {
        if (error instanceof ObjectDamaged) throw error;
        throw new AppError(
          'unavailable',
          'The service cannot reach its file store right now. Try again in a few seconds.',
          { cause: error, retryAfterSeconds: 5 },
        );
      }
      await delay(FIRST_PAUSE_MS * PAUSE_GROWTH_RATIO ** (tries - 1));
    }
  }
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ObjectDamaged) return true;
  if ('statusCode' in error && typeof error.statusCode === 'number') {
    return error.statusCode >= 500 || error.statusCode === 429;
  }
  return (
    'code' in error &&
    /^(ECONNRE|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)/.test(String(error.code))
  );
}
