export type FetchFailure =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'protocol'
  | 'redirects'
  | 'aborted';

/** The server did not answer as it should; another try may help. `message` may be shown to the customer. */
export class FetchFailed extends Error {
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'FetchFailed';
    this.reason = reason;
  }
}

/** The address is not allowed; another try does not help. The reason is only for the log: it would reveal our network. */
export class FetchForbidden extends Error {
  constructor(why: string) {
    super('This address cannot be used', { cause: why });
    this.name = 'FetchForbidden';
  }
}

const MESSAGES: Record<FetchFailure, string> = {
  dns: 'The host name could not be resolved',
  connect: 'The host did not accept the connection',
  tls: 'The secure connection failed: the certificate or the protocol was not accepted',
  timeout: 'The host did not answer in time',
  too_large: 'The answer is too large',
  protocol: 'The answer was broken off or is not valid HTTP',
  redirects: 'The host redirects too often',
  aborted: 'The request was aborted',
};

/** Details of a TLS failure, by error code: only the owner of the server can fix it, and needs to know what is wrong. */
const TLS_MESSAGES: readonly [RegExp, string][] = [
  [/^CERT_HAS_EXPIRED$/, 'The secure connection failed: the certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'The secure connection failed: the certificate is not valid yet'],
  [/^CERT_REVOKED$/, 'The secure connection failed: the certificate was revoked'],
  [/^DEPTH_ZERO_SELF_SIGNED/, 'The secure connection failed: the certificate is self-signed'],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH/, 'The secure connection failed: the certificate is for another name'],
  [
    /^UNABLE_TO_|^SELF_SIGNED_CERT_IN_CHAIN$/,
    'The secure connection failed: the certificate is not signed by a known authority, or its chain is incomplete',
  ],
  [/^EPROTO$|^ERR_SSL_|^ERR_TLS_/, 'The secure connection failed: TLS 1.2 or newer is needed'],
];

/** Classifies a socket, TLS or HTTP client error; `otherwise` is the reason for an unknown one. */
export function asFetchFailed(error: unknown, otherwise: FetchFailure): FetchFailed {
  if (error instanceof FetchFailed) return error;
  const reason = reasonOf(error) ?? otherwise;
  const message = (reason === 'tls' && tlsMessageOf(error)) || MESSAGES[reason];
  return new FetchFailed(reason, message, { cause: error });
}

/** By the code or the name of an error; the first match counts. */
const REASONS: readonly [RegExp, FetchFailure][] = [
  [/TIMEOUT|ETIMEDOUT|^TimeoutError$/, 'timeout'],
  [/^(AbortError|ABORT_ERR)$/, 'aborted'],
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'dns'],
  [/CERT|TLS|SSL|^EPROTO$|UNABLE_TO_|HOSTNAME_MISMATCH/, 'tls'],
  [/^(HPE_|ECONNRESET|EPIPE)/, 'protocol'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES)/, 'connect'],
];

function tlsMessageOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  const found = code === null ? undefined : TLS_MESSAGES.find(([pattern]) => pattern.test(code));
  return found?.[1] ?? tlsMessageOf(error.cause);
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function reasonOf(error: unknown): FetchFailure | null {
  if (!(error instanceof Error)) return null;
  for (const name of [codeOf(error), error.name]) {
    const found = name !== null && REASONS.find(([pattern]) => pattern.test(name));
    if (found) return found[1];
  }
  return error.cause === undefined ? null : reasonOf(error.cause);
}
