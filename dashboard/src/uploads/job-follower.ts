import { ApiError } from '@earshot/sdk';

type OnStage = (stage: string, fraction: number) => void;

/** The job failed or was canceled, in its own sentence. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
}

/** Whether there is no more to follow. Signed out, refused or lost, the analysis itself goes on. */
export function isPermanent(error: unknown): boolean {
  return error instanceof JobFailed || (error instanceof ApiError && error.status === 404);
}

/** So long after a stream was refused or lost its job is followed again. */
export const RECONNECT_DELAY_MS = 5_000;
/** A browser opens six connections to a host of HTTP/1.1, and every other request needs one of them. */
const STREAMS_MAX = 2;

/** Follows many jobs over few streams. Those that wait miss nothing: a stream tells from the start, however late it is opened. */
export class JobFollower {
  readonly #follow: (jobId: string, onStage: OnStage) => Promise<void>;
  readonly #waiting: (() => void)[] = [];
  #streamCount = 0;

  constructor(follow: (jobId: string, onStage: OnStage) => Promise<void>) {
    this.#follow = follow;
  }

  /** Resolves when the job is completed; rejects when there is nothing more to come of it. */
  async follow(jobId: string, onStage: OnStage): Promise<void> {
    for (;;) {
      await this.#takeTurn();
      try {
        return await this.#follow(jobId, onStage);
      } catch (error) {
        if (isPermanent(error)) throw error;
      } finally {
        this.#endTurn();
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_DELAY_MS));
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#streamCount < STREAMS_MAX) this.#streamCount += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Whoever waits longest has the turn at once: nobody comes in between. */
  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#streamCount -= 1;
  }
}
