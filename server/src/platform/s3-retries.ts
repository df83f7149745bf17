import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../errors.ts';

const TRIES_MAX = 4;
const FIRST_PAUSE_MS = 50;

/** Repeats a call that failed in passing, after 0.05, 0.2 and 0.8 s, and then throws 503. A refusal is not repeated. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (tries === TRIES_MAX) {
        throw new AppError(
          'unavailable',
          'The service cannot reach its file store right now. Try again in a few seconds.',
          {
            cause: error,
            retryAfterSeconds: 5,
          },
        );
      }
      await delay(FIRST_PAUSE_MS * 4 ** (tries - 1));
    }
  }
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('statusCode' in error && typeof error.statusCode === 'number') {
    return error.statusCode >= 500 || error.statusCode === 429;
  }
  if (/arrived damaged/.test(error.message)) return true;
  return 'code' in error && /^(ECONNRE|EPIPE|ETIMEDOUT|EAI_AGAIN)/.test(String(error.code));
}
