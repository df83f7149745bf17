import { createAnalyses } from './analyses.ts';
import { createRequest } from './request.ts';
import { createTransport } from './transport.ts';
import { verifyWebhook } from './webhooks.ts';

export type EarshotOptions = {
  /** An API key (`es_live_…`) or a session token (`es_sess_…`); null in a page of the service itself, which has a cookie. */
  apiKey: string | null;
  baseUrl: string;
  /** Tries after the first, for what is safe to repeat. */
  retriesMax?: number;
  timeoutMs?: number;
  /** Another implementation of fetch, for tests and old runtimes. */
  fetch?: typeof fetch;
};

/** Longer than the longest long poll. */
const TIMEOUT_MS = 60_000;

/**
 * The Earshot API.
 *
 * @example
 * ```ts
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const job = await earshot.analyses.create({ url: 'https://example.com/song.mp3' });
 * const { result } = await job.wait({ onProgress: (job) => console.log(job.status) });
 * console.log(result.bpm, result.key_notation);
 * ```
 */
export class Earshot {
  readonly analyses: ReturnType<typeof createAnalyses>;
  readonly webhooks = { verify: verifyWebhook };
  /**
   * Any operation of the API by its name, typed by the contract.
   *
   * @example
   * ```ts
   * const key = await earshot.request('createApiKey', { body: { name: 'studio', scopes: ['analyses:read'] } });
   * ```
   */
  readonly request: ReturnType<typeof createRequest>;

  constructor(options: EarshotOptions) {
    const call = createTransport({
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
      token: options.apiKey,
      // A browser's fetch must not be called as a method of something else.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      retriesMax: options.retriesMax ?? 4,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    });
    this.analyses = createAnalyses(call);
    this.request = createRequest(call);
  }
}
