import { AnalysisFailed, ApiError } from './errors.ts';
import { followEvents, type JobEvent } from './event-stream.ts';
import { pathOf } from './songs.ts';
import { pause, readJson, type Transport } from './transport.ts';
import type { AnalysisJob, AnalysisResult, FullResult } from './wire-types.generated.ts';

/**
 * A job as the service tells it.
 *
 * @example
 * ```ts
 * import { Earshot, type JobData } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const describe = ({ id, status, headline }: JobData) => `${id} ${status} ${headline?.bpm ?? ''}`;
 * for await (const job of earshot.analyses.list({ pageSize: 10 })) console.log(describe(job));
 * ```
 */
export type JobData = AnalysisJob;

/**
 * The result of an analysis that has one.
 *
 * @example
 * ```ts
 * import { openAsBlob } from 'node:fs';
 * import { type CompletedResult, Earshot } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const title = ({ result }: CompletedResult) => `${result.key_notation} at ${result.bpm?.toFixed(1)}`;
 * const job = await earshot.analyses.create({ file: await openAsBlob('song.mp3') });
 * console.log(title(await job.wait()));
 * ```
 */
export type CompletedResult = AnalysisResult & { result: FullResult };

const ENDED = new Set(['completed', 'failed', 'canceled']);
/** How long the service holds an answer that is not there yet. */
const LONG_POLL_SECONDS = 30;
/** It holds no answer while too many others wait; then it is not asked without end. */
const UNHELD_MS = 1_000;

/**
 * One analysis, as it stood when it was last asked for.
 *
 * @example
 * ```ts
 * import { openAsBlob } from 'node:fs';
 * import { Earshot } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const job = await earshot.analyses.create({ file: await openAsBlob('song.mp3') });
 * for await (const event of job.events()) console.log(event.event_type, event.message);
 * const { result } = await job.wait();
 * console.log(`${result.bpm} BPM in ${result.key_notation}`);
 * ```
 */
export class Job {
  readonly #call: Transport;
  #data: JobData;

  constructor(call: Transport, data: JobData) {
    this.#call = call;
    this.#data = data;
  }

  get id(): string {
    return this.#data.id;
  }

  get status(): JobData['status'] {
    return this.#data.status;
  }

  /** How far it is, 0 to 1. */
  get progress(): number {
    return this.#data.progress;
  }

  get data(): JobData {
    return this.#data;
  }

  /**
   * Resolves with the result; throws AnalysisFailed when there is none to come. `onProgress` is called with the job each
   * time the service says something new.
   */
  async wait(
    options: { onProgress?: (job: Job) => void; signal?: AbortSignal } = {},
  ): Promise<CompletedResult> {
    const { onProgress, signal } = options;
    if (ENDED.has(this.status)) onProgress?.(this);
    else if (onProgress) await this.#follow(onProgress, signal);
    while (!ENDED.has(this.status)) {
      await this.refresh({ waitSeconds: LONG_POLL_SECONDS, signal });
      onProgress?.(this);
    }
    const answer = await this.result(options);
    if (isCompleted(answer)) return answer;
    const { status, error } = answer;
    const [code, message] =
      status === 'completed'
        ? ['result_deleted', 'The result was deleted']
        : [status, `The analysis was ${status}`];
    throw new AnalysisFailed(error ?? { code, message, retryable: false });
  }

  /** Everything the job tells, live, up to its end; from the beginning, however late one asks. */
  events(options: { signal?: AbortSignal } = {}): AsyncGenerator<JobEvent> {
    return followEvents(this.#call, this.id, options.signal);
  }

  /** Asks for the job again; with `waitSeconds`, the service answers when the job ends or that time is over (30 at most). */
  async refresh(options: { waitSeconds?: number; signal?: AbortSignal } = {}): Promise<this> {
    const response = await this.#call({
      method: 'GET',
      path: pathOf(this.id),
      waitSeconds: options.waitSeconds,
      signal: options.signal,
    });
    this.#data = await readJson(response);
    const isHeld = response.headers.has('preference-applied');
    if (options.waitSeconds && !isHeld && !ENDED.has(this.status)) await pause(UNHELD_MS, options.signal);
    return this;
  }

  /** The result as it stands: null inside while the job is not finished, or when it failed. */
  async result(options: { signal?: AbortSignal } = {}): Promise<AnalysisResult> {
    const { signal } = options;
    return readJson(await this.#call({ method: 'GET', path: `${pathOf(this.id)}/result`, signal }));
  }

  /** Canceling twice is canceling once; throws ApiError `already_finished` when the job has ended in another way. */
  async cancel(options: { signal?: AbortSignal } = {}): Promise<void> {
    try {
      const response = await this.#call({
        method: 'POST',
        path: `${pathOf(this.id)}/cancel`,
        idempotencyKey: `cancel-${this.id}`,
        signal: options.signal,
      });
      this.#data = await readJson(response);
    } catch (error) {
      // Perhaps by us: the answer was lost, and the call was repeated.
      if (!(error instanceof ApiError) || error.code !== 'already_finished') throw error;
      await this.refresh(options);
      if (this.status !== 'canceled') throw error;
    }
  }

  async #follow(onProgress: (job: Job) => void, signal: AbortSignal | undefined): Promise<void> {
    try {
      for await (const { event_type, metadata } of this.events({ signal })) {
        const { stage, progress } = metadata as { stage?: string; progress?: number };
        if (event_type === 'analysis.progress' && stage !== undefined && progress !== undefined) {
          this.#data = { ...this.#data, status: 'processing', stage, progress };
          onProgress(this);
        }
      }
    } catch (error) {
      // Too many streams are open: the job can still be asked for.
      if (!(error instanceof ApiError) || ![429, 503].includes(error.status)) throw error;
    }
  }
}

function isCompleted(answer: AnalysisResult): answer is CompletedResult {
  return answer.status === 'completed' && answer.result !== null;
}
