import { analysisPath } from './analysis-path.ts';
import { AnalysisFailed, ApiError } from './errors.ts';
import { followEvents, type JobEvent } from './event-stream.ts';
import { pause, readJson, type Transport } from './transport.ts';
import type { AnalysisJob, AnalysisResult, FullResult } from './wire-types.generated.ts';

/**
 * A job as the service describes it.
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
 * The result of a completed analysis.
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
/** The longest that the service holds a response to wait for the end of a job. */
const LONG_POLL_SECONDS = 30;
/** The pause between polls while the service holds no response, because too many clients wait already. */
const POLL_PAUSE_MS = 1_000;

/**
 * One analysis, as of the last response of the service.
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

  /** 0 to 1. */
  get progress(): number {
    return this.#data.progress;
  }

  get data(): JobData {
    return this.#data;
  }

  /**
   * Resolves with the result; throws AnalysisFailed if there will be none. `onProgress` is called with the job after each
   * progress event or poll.
   */
  async wait(
    options: { onProgress?: (job: Job) => void; signal?: AbortSignal } = {},
  ): Promise<CompletedResult> {
    const { onProgress, signal } = options;
    if (ENDED.has(this.status)) onProgress?.(this);
    else if (onProgress) for await (const _ of this.#follow(signal)) onProgress(this);
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

  /** All events of the job, from the first to the last, live. */
  events(options: { signal?: AbortSignal } = {}): AsyncGenerator<JobEvent> {
    return followEvents(this.#call, this.id, options.signal);
  }

  /** Fetches the job again; with `waitSeconds` (at most 30) the service answers when the job ends or that time has passed. */
  async refresh(options: { waitSeconds?: number; signal?: AbortSignal } = {}): Promise<this> {
    const response = await this.#call({
      method: 'GET',
      path: analysisPath(this.id),
      waitSeconds: options.waitSeconds,
      signal: options.signal,
    });
    this.#data = await readJson(response);
    const isHeld = response.headers.has('preference-applied');
    if (options.waitSeconds && !isHeld && !ENDED.has(this.status)) await pause(POLL_PAUSE_MS, options.signal);
    return this;
  }

  /** The current result; its `result` is null until the job has completed. */
  async result(options: { signal?: AbortSignal } = {}): Promise<AnalysisResult> {
    const { signal } = options;
    return readJson(await this.#call({ method: 'GET', path: `${analysisPath(this.id)}/result`, signal }));
  }

  /** Succeeds if the job is already canceled; throws ApiError `already_finished` if it has completed or failed. */
  async cancel(options: { signal?: AbortSignal } = {}): Promise<void> {
    try {
      const response = await this.#call({
        method: 'POST',
        path: `${analysisPath(this.id)}/cancel`,
        idempotencyKey: `cancel-${this.id}`,
        signal: options.signal,
      });
      this.#data = await readJson(response);
    } catch (error) {
      // It may have been this call: its response was lost, and the retry found the job canceled.
      if (!(error instanceof ApiError) || error.code !== 'already_finished') throw error;
      await this.refresh(options);
      if (this.status !== 'canceled') throw error;
    }
  }

  /** Yields after each progress event. As a generator it does not see the errors of `onProgress`. */
  async *#follow(signal: AbortSignal | undefined): AsyncGenerator<void> {
    try {
      for await (const { event_type, metadata } of this.events({ signal })) {
        const { stage, progress } = metadata as { stage?: string; progress?: number };
        if (event_type === 'analysis.progress' && stage !== undefined && progress !== undefined) {
          this.#data = { ...this.#data, status: 'processing', stage, progress };
          yield;
        }
      }
    } catch (error) {
      // Too many streams are open: `wait` polls the job instead.
      if (!(error instanceof ApiError) || ![429, 503].includes(error.status)) throw error;
    }
  }
}

function isCompleted(answer: AnalysisResult): answer is CompletedResult {
  return answer.status === 'completed' && answer.result !== null;
}
