import type { AnalysisJob, AnalysisResult } from '@earshot/contract';
import type { z } from 'zod';
import { AnalysisFailed } from './errors.ts';
import type { Transport } from './transport.ts';

type JobData = z.output<typeof AnalysisJob>;
type ResultData = z.output<typeof AnalysisResult>;

const ENDED = new Set(['completed', 'failed', 'canceled']);
/** How long the service holds an answer that is not there yet. */
const LONG_POLL_SECONDS = 30;

/** One analysis, as it stood when it was last asked for. */
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

  get data(): JobData {
    return this.#data;
  }

  /**
   * Resolves with the result; throws AnalysisFailed when there is none to come. `onProgress` is called with the job each
   * time the service says something new.
   */
  async wait(options: { onProgress?: (job: Job) => void; signal?: AbortSignal } = {}): Promise<ResultData> {
    while (!ENDED.has(this.status)) {
      const response = await this.#call({
        method: 'GET',
        path: `/v1/analyses/${encodeURIComponent(this.id)}`,
        headers: { prefer: `wait=${LONG_POLL_SECONDS}` },
        signal: options.signal,
      });
      this.#data = (await response.json()) as JobData;
      options.onProgress?.(this);
    }
    const response = await this.#call({
      method: 'GET',
      path: `/v1/analyses/${encodeURIComponent(this.id)}/result`,
      signal: options.signal,
    });
    const answer = (await response.json()) as ResultData;
    if (answer.status !== 'completed') {
      throw new AnalysisFailed(
        answer.error ?? {
          code: answer.status,
          message: `The analysis was ${answer.status}`,
          retryable: false,
        },
      );
    }
    return answer;
  }

  async cancel(): Promise<void> {
    const response = await this.#call({
      method: 'POST',
      path: `/v1/analyses/${encodeURIComponent(this.id)}/cancel`,
      // Canceling twice is canceling once.
      idempotencyKey: `cancel-${this.id}`,
    });
    this.#data = (await response.json()) as JobData;
  }
}
