import { FetchFailed } from '../../platform/fetch-errors.ts';
import type { GuardedResponse } from '../../platform/guarded-fetch.ts';

/** 128 kbit/s: a slower server takes longer to send an ordinary MP3 than it takes to play. */
const RATE_BYTES_PER_SECOND_MIN = 16_000;
const RATE_WINDOW_MS = 30_000;

/** Passes the body on. Throws when the server sends too little within a window of time, or nothing for as long. */
export async function* requireMinimumRate({
  body,
  discard,
}: Pick<GuardedResponse, 'body' | 'discard'>): AsyncGenerator<Uint8Array> {
  let windowStartMs = performance.now();
  let windowBytes = 0;
  let hasStalled = false;
  const abort = () => {
    hasStalled = true;
    discard();
  };
  let stallTimer = setTimeout(abort, RATE_WINDOW_MS);
  try {
    for await (const chunk of body) {
      clearTimeout(stallTimer);
      windowBytes += chunk.length;
      const elapsedMs = performance.now() - windowStartMs;
      if (elapsedMs >= RATE_WINDOW_MS) {
        if (windowBytes < (RATE_BYTES_PER_SECOND_MIN * elapsedMs) / 1000) throw tooSlow();
        [windowStartMs, windowBytes] = [performance.now(), 0];
      }
      const yieldedMs = performance.now();
      yield chunk;
      // Time that the consumer spends (writing to disk or a bucket) does not count against the server.
      windowStartMs += performance.now() - yieldedMs;
      stallTimer = setTimeout(abort, RATE_WINDOW_MS);
    }
  } catch (error) {
    if (!hasStalled) throw error;
  } finally {
    clearTimeout(stallTimer);
  }
  if (hasStalled) throw tooSlow();
}

function tooSlow(): FetchFailed {
  return new FetchFailed('timeout', 'The server sends too slowly');
}
