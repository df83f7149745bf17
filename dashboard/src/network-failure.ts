const UNREACHABLE = 'The service does not answer. Try again in a moment.';

/** A fetch whose failures are answers: a service that cannot be reached says so in words for people, and the SDK asks it again as one that is busy. */
export function networkFailureAs503(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      // Of the two, only a time that is over is a failure of the service; whoever aborts gets the reason of its own signal.
      const isAborted = init?.signal?.aborted && (error as Error).name !== 'TimeoutError';
      if (isAborted) throw error;
      return new Response(JSON.stringify({ detail: UNREACHABLE }), { status: 503 });
    }
  };
}
