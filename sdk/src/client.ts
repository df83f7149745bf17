import { createAnalyses } from './analyses.ts';
import { createCollections } from './collections.ts';
import { createIterate, createPage } from './paginate.ts';
import { createRequest } from './request.ts';
import { createTransport } from './transport.ts';
import { verifyWebhook } from './webhooks.ts';

/**
 * How a client reaches the service.
 *
 * @example
 * ```ts
 * import { Earshot, type EarshotOptions } from '@earshot/sdk';
 *
 * const options: EarshotOptions = {
 *   apiKey: process.env.EARSHOT_API_KEY,
 *   baseUrl: 'http://localhost:8080',
 *   retriesMax: 2,
 *   timeoutMs: 30_000,
 * };
 * const usage = await new Earshot(options).request('getUsage', {});
 * console.log(usage);
 * ```
 */
export type EarshotOptions = {
  /** An API key (`es_live_…`) or a session token (`es_sess_…`); omit it in pages of the service itself, which use a cookie. */
  apiKey?: string | null;
  baseUrl: string;
  /** Attempts after the first, for calls that are safe to repeat. */
  retriesMax?: number;
  /** For each attempt, up to the last byte of the response; the time that the service is asked to hold a response is added. */
  timeoutMs?: number;
  /** Replaces the global fetch, for tests and old runtimes. */
  fetch?: typeof fetch;
};

/** Longer than any response of the service takes, short enough that a hanging connection is noticed while the user still waits. */
const TIMEOUT_MS = 60_000;
/** BACKOFF_FIRST_MS in transport.ts says how long this many retries take. */
const RETRIES_MAX = 4;

/**
 * The Earshot API.
 *
 * @example
 * ```ts
 * import { openAsBlob } from 'node:fs';
 * import { Earshot } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const job = await earshot.analyses.create({ file: await openAsBlob('song.mp3') });
 * const { result } = await job.wait({ onProgress: (job) => console.log(job.data.stage, job.progress) });
 * console.log(result.bpm, result.key_notation, result.camelot);
 * ```
 */
export class Earshot {
  readonly analyses: ReturnType<typeof createAnalyses>;
  readonly collections: ReturnType<typeof createCollections>;
  readonly webhooks = { verify: verifyWebhook };
  /**
   * Calls any operation of the API that answers with JSON, by name, typed by the contract.
   *
   * @example
   * ```ts
   * import { Earshot } from '@earshot/sdk';
   *
   * const earshot = new Earshot({ baseUrl: 'http://localhost:8080' });
   * const account = await earshot.request('registerAccount', { body: { email: `${crypto.randomUUID()}@example.com` } });
   * console.log(account.prefix, account.tier);
   * ```
   */
  readonly request: ReturnType<typeof createRequest>;
  /**
   * Every item of a list; pages are fetched as you iterate.
   *
   * @example
   * ```ts
   * import { Earshot } from '@earshot/sdk';
   *
   * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
   * for await (const delivery of earshot.iterate('listWebhookDeliveries')) console.log(delivery.event_type, delivery.status);
   * ```
   */
  readonly iterate: ReturnType<typeof createIterate>;
  /**
   * One page of a list, with the cursor of the next page.
   *
   * @example
   * ```ts
   * import { Earshot } from '@earshot/sdk';
   *
   * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
   * const { items, after } = await earshot.page('listAnalyses', { limit: 20 });
   * console.log(items.length, after);
   * ```
   */
  readonly page: ReturnType<typeof createPage>;

  constructor(options: EarshotOptions) {
    const call = createTransport({
      baseUrl: checkedBaseUrl(options.baseUrl).replace(/\/+$/, ''),
      token: options.apiKey ?? null,
      // A browser's fetch must not be called as a method of something else.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      retriesMax: options.retriesMax ?? RETRIES_MAX,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    });
    this.analyses = createAnalyses(call);
    this.collections = createCollections(call);
    this.request = createRequest(call);
    this.iterate = createIterate(call);
    this.page = createPage(call);
  }
}

/** Refuses "localhost:8080" here, a URL of the scheme "localhost": every call would fail without saying why. */
function checkedBaseUrl(baseUrl: string): string {
  if (!/^https?:\/\/./.test(baseUrl)) {
    throw new TypeError(`baseUrl must start with http:// or https://: "${baseUrl}"`);
  }
  return baseUrl;
}
