import { ApiError } from '@earshot/sdk';

type OnStage = (stage: string, fraction: number) => void;

/** The job failed or was canceled; the message is the service's. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
}

/** Whether the job itself is over or deleted. After any other error, such as a lost stream or session, the analysis goes on. */
export function isPermanent(error: unknown): boolean {
  return error instanceof JobFailed || (error instanceof ApiError && error.status === 404);
}

/** Long enough not to burden a service that refuses streams, short enough for a progress bar. */
export const RECONNECT_DELAY_MS = 5_000;
/** A browser opens at most six HTTP/1.1 connections to a host, and uploads and other requests need the rest. */
const STREAMS_MAX = 2;

/** Follows many jobs over a few event streams. Waiting jobs miss nothing: a stream replays a job's events from the first. */
export class JobFollower {
  readonly #follow: (jobId: string, onStage: OnStage) => Promise<void>;
  readonly #waiting: (() => void)[] = [];
  #streamCount = 0;

  constructor(follow: (jobId: string, onStage: OnStage) => Promise<void>) {
    this.#follow = follow;
  }

  /** Resolves when the job is completed; rejects when it failed, was canceled or is deleted. */
  async follow(jobId: string, onStage: OnStage): Promise<void> {
    for (;;) {
      await this.#acquireStream();
      try {
        return await this.#follow(jobId, onStage);
      } catch (error) {
        if (isPermanent(error)) throw error;
      } finally {
        this.#releaseStream();
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_DELAY_MS));
    }
  }

  async #acquireStream(): Promise<void> {
    if (this.#streamCount < STREAMS_MAX) this.#streamCount += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the stream straight to the job that has waited longest, so that no other can take it first. */
  #releaseStream(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#streamCount -= 1;
  }
}
