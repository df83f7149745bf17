import { isIP, type LookupFunction } from 'node:net';
import { startDeadline, withDeadline } from '@earshot/sdk';
import serverPackage from '../../package.json' with { type: 'json' };
import { type AddressRules, createAddressRules } from './address-rules.ts';
import { asFetchFailed, FetchFailed, FetchForbidden } from './fetch-errors.ts';
import { type HttpAnswer, sendHttpRequest } from './http-request.ts';
import { createNameResolver, type NameResolver, type ResolvedAddress } from './name-resolver.ts';

export type GuardedRequest = {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Redirects to follow, each checked like the first URL. With 0, a redirect is itself the response. */
  redirectsMax: number;
  connectTimeoutMs: number;
  /** From the first lookup to the last byte of the body. */
  totalTimeoutMs: number;
  /** The most that is read of the body; see `onTooLong` for a longer one. */
  responseBytesMax: number;
  /** `fail` throws FetchFailed('too_large'); `cut` ends the body at the limit. */
  onTooLong: 'fail' | 'cut';
  signal?: AbortSignal;
};

export type GuardedResponse = {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  /** The final URL, after redirects. */
  url: string;
  /** Read it to the end or call `discard`: the connection stays open until then. Throws FetchFailed. */
  body: AsyncIterable<Uint8Array>;
  discard(): void;
};

/**
 * The only way to call a URL given by a customer. Throws FetchForbidden for a target that is not allowed, and FetchFailed for one that
 * does not answer properly.
 */
export type GuardedFetch = {
  (request: GuardedRequest): Promise<GuardedResponse>;
  /** Checks a URL when a customer submits it. A name that does not resolve is allowed: it may later, and every call checks again. */
  isUrlAllowed(url: string): Promise<boolean>;
};

type GuardedFetchOptions = {
  allowPrivateTargets: readonly string[];
  allowedPorts: readonly number[];
  /** See createNameResolver. */
  dnsServers?: readonly string[];
  /** For tests: another resolver, and certificates to trust. */
  resolve?: NameResolver;
  trustedCertificates?: string[];
};

/** The longest URL that the contract accepts (contract/src/wire-values.ts). */
const URL_CHARACTERS_MAX = 2_083;
/** Enough to ask two DNS servers twice (name-resolver.ts). */
export const LOOKUP_TIMEOUT_MS = 5_000;
/** Node's default (--max-http-header-size), fixed here because NODE_OPTIONS can raise that. */
const RESPONSE_HEADER_BYTES_MAX = 16_384;
export const USER_AGENT = `Earshot/${serverPackage.version}`;

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const guard = createGuard(options);

  const guardedFetch = async (request: GuardedRequest): Promise<GuardedResponse> => {
    const deadline = startDeadline(request.totalTimeoutMs, request.signal);
    try {
      const { target, answer } = await follow(request, deadline.signal);
      // The deadline also covers the body, until it has been read or discarded.
      answer.body.once('close', deadline.clear);
      return toResponse(request, target, answer, deadline.signal);
    } catch (error) {
      deadline.clear();
      throw error;
    }
  };

  async function follow(
    request: GuardedRequest,
    signal: AbortSignal,
  ): Promise<{ target: Target; answer: HttpAnswer }> {
    let url = request.url;
    for (let redirects = 0; ; redirects += 1) {
      const target = await guard.resolveTarget(url, signal);
      // Headers may hold a secret for the first server.
      const hop = redirects === 0 ? request : { ...request, headers: {} };
      const answer = await send(hop, target, signal, options.trustedCertificates);
      const location = redirectOf(answer);
      if (location === null || request.redirectsMax === 0) return { target, answer };
      answer.discard();
      if (redirects >= request.redirectsMax) {
        throw new FetchFailed('redirects', `More than ${request.redirectsMax} redirects`);
      }
      url = nextUrl(location, target.url);
    }
  }

  return Object.assign(guardedFetch, {
    async isUrlAllowed(url: string) {
      try {
        await withDeadline(LOOKUP_TIMEOUT_MS, (signal) => guard.resolveTarget(url, signal));
        return true;
      } catch (error) {
        return error instanceof FetchFailed;
      }
    },
  });
}

type Target = { url: URL; addresses: ResolvedAddress[] };

function createGuard(options: GuardedFetchOptions) {
  const rules = createAddressRules(options.allowPrivateTargets);
  const resolve = options.resolve ?? createNameResolver(options.dnsServers ?? []);
  return {
    async resolveTarget(text: string, signal: AbortSignal): Promise<Target> {
      const url = parseTarget(text);
      const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
      const family = isIP(hostname);
      // An address needs no lookup, but is checked like the result of one.
      const addresses =
        family === 0
          ? await lookUp(resolve, hostname, signal)
          : [{ address: hostname, family: family as 4 | 6 }];
      assertAllAllowed(url, addresses, rules, options.allowedPorts);
      return { url, addresses };
    },
  };
}

/** One forbidden address is enough to refuse the host name: the connection might use that one. */
function assertAllAllowed(
  url: URL,
  addresses: ResolvedAddress[],
  rules: AddressRules,
  allowedPorts: readonly number[],
): void {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  for (const { address } of addresses) {
    const { allowed, opened } = rules.judge(address);
    if (!allowed) throw new FetchForbidden(`${url.hostname} leads to ${address}`);
    // Addresses that ALLOW_PRIVATE_TARGETS opens may use any port.
    if (!opened && !allowedPorts.includes(port)) throw new FetchForbidden(`port ${port} is closed`);
  }
}

function parseTarget(text: string): URL {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers disagree about these characters.
  if (text.length > URL_CHARACTERS_MAX || /[\u0000-\u0020\u007f\\]/.test(text) || !URL.canParse(text)) {
    throw new FetchForbidden('not a URL');
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new FetchForbidden(`scheme ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new FetchForbidden('credentials in the URL');
  return url;
}

async function lookUp(
  resolve: NameResolver,
  hostname: string,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  // The resolver takes no signal, so its answer may come after the deadline and is then ignored.
  const ask = (limit: AbortSignal) => {
    const tooLate = new Promise<never>((_, reject) => {
      if (limit.aborted) reject(limit.reason);
      limit.addEventListener('abort', () => reject(limit.reason), { once: true });
    });
    return Promise.race([resolve(hostname), tooLate]);
  };
  const addresses = await withDeadline(LOOKUP_TIMEOUT_MS, ask, signal).catch((error: unknown) => {
    throw asFetchFailed(error, 'dns');
  });
  if (addresses.length === 0) throw new FetchFailed('dns', 'The name has no address');
  return addresses;
}

/** Opens a new connection for each request: a reused one could belong to a host name that was not checked. */
async function send(
  request: GuardedRequest,
  target: Target,
  signal: AbortSignal,
  trustedCertificates: string[] | undefined,
): Promise<HttpAnswer> {
  try {
    return await sendHttpRequest(target.url, {
      method: request.method,
      headers: {
        'user-agent': USER_AGENT,
        accept: '*/*',
        ...(request.method === 'GET' ? { 'accept-encoding': 'identity' } : {}),
        ...request.headers,
      },
      body: request.body,
      connectTimeoutMs: request.connectTimeoutMs,
      idleTimeoutMs: request.totalTimeoutMs,
      answerHeaderBytesMax: RESPONSE_HEADER_BYTES_MAX,
      // Connects to the checked addresses; the host name is still used for Host, SNI and the certificate.
      lookup: pinnedLookup(target.addresses),
      trustedCertificates,
      signal,
    });
  } catch (error) {
    throw asFetchFailed(signal.aborted ? signal.reason : error, 'connect');
  }
}

/** net.connect asks for one address or, since Node 20, for all. */
function pinnedLookup(addresses: ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    // lookUp refuses a name without addresses.
    const first = addresses[0]!;
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

function toResponse(
  request: GuardedRequest,
  target: Target,
  answer: HttpAnswer,
  signal: AbortSignal,
): GuardedResponse {
  const { status, headers, discard } = answer;
  const encoding = headers['content-encoding'] ?? 'identity';
  // A POST does not ask for identity: a webhook has arrived even if the receiver compresses its answer.
  if (request.method === 'GET' && encoding !== 'identity') {
    discard();
    throw new FetchFailed('protocol', 'The answer is compressed, which was not asked for');
  }
  if (request.onTooLong === 'fail' && Number(headers['content-length'] ?? 0) > request.responseBytesMax) {
    discard();
    throw tooLarge(request.responseBytesMax);
  }
  return { status, headers, url: target.url.href, body: readBody(request, answer, signal), discard };
}

async function* readBody(
  request: GuardedRequest,
  answer: HttpAnswer,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let left = request.responseBytesMax;
  try {
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      if (chunk.byteLength > left) {
        if (request.onTooLong === 'fail') throw tooLarge(request.responseBytesMax);
        yield chunk.subarray(0, left);
        return;
      }
      left -= chunk.byteLength;
      yield chunk;
    }
  } catch (error) {
    throw asFetchFailed(signal.aborted ? signal.reason : error, 'protocol');
  } finally {
    answer.discard();
  }
}

function tooLarge(bytesMax: number): FetchFailed {
  return new FetchFailed('too_large', `The answer is larger than ${bytesMax} bytes`);
}

function redirectOf(answer: HttpAnswer): string | null {
  const { location } = answer.headers;
  if (![301, 302, 303, 307, 308].includes(answer.status) || typeof location !== 'string') return null;
  return location;
}

function nextUrl(location: string, from: URL): string {
  if (!URL.canParse(location, from.href))
    throw new FetchFailed('redirects', 'A redirect to something that is no URL');
  const next = new URL(location, from);
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new FetchForbidden('a redirect from https to http');
  }
  return next.href;
}
