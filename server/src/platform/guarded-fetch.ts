export type GuardedRequest = {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Redirects followed, each checked anew. 0: a redirect is returned as the answer and never fetched. */
  redirectsMax: number;
  connectTimeoutMs: number;
  /** From the first lookup to the last byte of the body. */
  totalTimeoutMs: number;
  /** What may be read of the body. Beyond it: `onTooLong`. */
  responseBytesMax: number;
  /** `fail` throws FetchFailed('too_large'); `cut` ends the body there. */
  onTooLong: 'fail' | 'cut';
  signal?: AbortSignal;
};

export type GuardedResponse = {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  /** Where the answer came from after redirects. */
  url: string;
  /** Read it to its end or call `discard`: the connection stays open until then. */
  body: AsyncIterable<Uint8Array>;
  discard(): void;
};

/**
 * The only way out to addresses that a customer named. Throws FetchForbidden for a target that is not allowed,
 * FetchFailed for one that did not answer as it should.
 */
export type GuardedFetch = {
  (request: GuardedRequest): Promise<GuardedResponse>;
  /**
   * The check for the moment a URL is first given: throws AppError url_not_allowed, in the same words for every reason.
   * A name that does not resolve now passes; the fetch decides anew.
   */
  assertUrlAllowed(url: string): Promise<void>;
};

export type FetchFailure =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'protocol'
  | 'redirects'
  | 'aborted';

export class FetchFailed extends Error {
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'FetchFailed';
    this.reason = reason;
  }
}

export class FetchForbidden extends Error {
  constructor(cause: string) {
    super('This address cannot be used', { cause });
    this.name = 'FetchForbidden';
  }
}
