const UNREACHABLE = 'The service does not answer. Try again in a moment.';

/** Turns network failures and timeouts into a 503, which the SDK retries and whose message can be shown to the user. */
export function networkFailureAs503(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      // A timeout aborts the signal too, but is the service's failure; an abort by the caller is passed on.
      const isAborted = init?.signal?.aborted && (error as Error).name !== 'TimeoutError';
      if (isAborted) throw error;
      return new Response(JSON.stringify({ detail: UNREACHABLE }), { status: 503 });
    }
  };
}
