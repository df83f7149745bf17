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
  /** An API key (`es_live_…`) or a session token (`es_sess_…`); none in a page of the service itself, which has a cookie. */
  apiKey?: string | null;
  baseUrl: string;
  /** Tries after the first, for what is safe to repeat. */
  retriesMax?: number;
  /** Of each try, up to the last byte of its answer; where the service is asked to hold it, that comes on top. */
  timeoutMs?: number;
  /** Another implementation of fetch, for tests and old runtimes. */
  fetch?: typeof fetch;
};

/** Chosen: no answer takes as long, and a connection that hangs is given up while somebody still waits. */
const TIMEOUT_MS = 60_000;
/** What it adds up to is reckoned at BACKOFF_FIRST_MS (transport.ts). */
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
   * Any operation of the API by its name, typed by the contract.
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
   * Every item of a list, page by page as you go.
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
   * Reads one page of a list, with the cursor of the next.
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
      baseUrl: checkedAddress(options.baseUrl).replace(/\/+$/, ''),
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

/** "localhost:8080" is a URL too, of the scheme "localhost": nobody would answer, and nothing would say why. */
function checkedAddress(baseUrl: string): string {
  if (!/^https?:\/\/./.test(baseUrl)) {
    throw new TypeError(`baseUrl has to begin with http:// or https://, which "${baseUrl}" does not`);
  }
  return baseUrl;
}
