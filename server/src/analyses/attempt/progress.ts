import type { Context } from '../../context.ts';
import type { Lease } from '../../jobs/lease.ts';
import { appendEvent } from '../events.ts';
import * as store from '../store.ts';
import { assertAttemptActive } from './attempt-lock.ts';

export type Stage = 'downloading' | 'decoding' | 'analysing' | 'enriching' | 'saving';

/** The part of the overall progress that each stage covers: about its share of the time. Much of the analysis runs while decoding. */
const SPANS: Record<Stage, [from: number, to: number]> = {
  downloading: [0, 0.1],
  decoding: [0.1, 0.7],
  analysing: [0.7, 0.95],
  enriching: [0.95, 0.98],
  saving: [0.98, 1],
};

/** Progress is for people to watch: finer steps would only load the database. */
const STEP_FRACTION_MIN = 0.05;
const INTERVAL_MS_MIN = 1_000;

export type ProgressReporter = {
  /** Cheap to call: most calls write nothing. */
  report(stage: Stage, fractionOfStage: number, detail?: string): void;
  /** Waits for the current write. */
  flush(): Promise<void>;
};

/**
 * Writes progress at the beginning of a stage, and then at most once a second and in steps of 5 %. A report during a write is
 * dropped, because a newer one follows.
 */
export function createProgressReporter(ctx: Context, lease: Lease, analysisId: string): ProgressReporter {
  let lastStage: Stage | null = null;
  let lastFraction = 0;
  let lastMs = 0;
  let writing: Promise<void> | null = null;

  async function write(stage: Stage, fraction: number, detail: string | undefined): Promise<void> {
    await ctx.db.transaction(async (tx) => {
      await assertAttemptActive(tx, lease, analysisId);
      const metadata = { stage, progress: fraction, ...(detail === undefined ? {} : { detail }) };
      const message = `${Math.round(fraction * 100)} %: ${stage}`;
      await Promise.all([
        store.saveProgress(tx, analysisId, { stage, fraction, now: ctx.clock() }),
        appendEvent(tx, analysisId, 'analysis.progress', message, metadata),
      ]);
    });
  }

  return {
    report(stage, fractionOfStage, detail) {
      const [from, to] = SPANS[stage];
      // To a tenth of a percent.
      const fraction =
        Math.round((from + (to - from) * Math.min(Math.max(fractionOfStage, 0), 1)) * 1000) / 1000;
      const nowMs = performance.now();
      const due =
        stage !== lastStage ||
        (fraction - lastFraction >= STEP_FRACTION_MIN && nowMs - lastMs >= INTERVAL_MS_MIN);
      if (!due || writing !== null) return;
      [lastStage, lastFraction, lastMs] = [stage, fraction, nowMs];
      writing = write(stage, fraction, detail)
        // Not worth failing the attempt: a real problem shows at its next write.
        .catch((error: unknown) => ctx.log.debug({ err: error }, 'Progress was not written'))
        .finally(() => {
          writing = null;
        });
    },
    async flush() {
      await writing;
    },
  };
}
