import { FetchFailed } from '../../platform/fetch-errors.ts';
import type { GuardedResponse } from '../../platform/guarded-fetch.ts';

/** Slower than this over half a minute is given up. Chosen: an MP3 of 128 kbit/s would take as long to fetch as to play. */
const RATE_BYTES_PER_SECOND_MIN = 16_000;
const RATE_WINDOW_MS = 30_000;

/** The body as long as it comes fast enough; also one of which nothing comes any more is given up. */
export async function* atLeastRate({
  body,
  discard,
}: Pick<GuardedResponse, 'body' | 'discard'>): AsyncGenerator<Uint8Array> {
  let windowStartMs = performance.now();
  let windowBytes = 0;
  let stalled = false;
  const giveUp = () => {
    stalled = true;
    discard();
  };
  let stall = setTimeout(giveUp, RATE_WINDOW_MS);
  try {
    for await (const chunk of body) {
      clearTimeout(stall);
      windowBytes += chunk.length;
      const elapsedMs = performance.now() - windowStartMs;
      if (elapsedMs >= RATE_WINDOW_MS) {
        if (windowBytes < (RATE_BYTES_PER_SECOND_MIN * elapsedMs) / 1000) throw tooSlow();
        [windowStartMs, windowBytes] = [performance.now(), 0];
      }
      const heldSinceMs = performance.now();
      yield chunk;
      // What whoever reads takes for it, a disk or a bucket, is no fault of the server.
      windowStartMs += performance.now() - heldSinceMs;
      stall = setTimeout(giveUp, RATE_WINDOW_MS);
    }
  } catch (error) {
    if (!stalled) throw error;
  } finally {
    clearTimeout(stall);
  }
  if (stalled) throw tooSlow();
}

function tooSlow(): FetchFailed {
  return new FetchFailed('timeout', 'The server sends too slowly');
}
