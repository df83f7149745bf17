import type { Context } from '../../context.ts';
import type { Lease } from '../../jobs/lease.ts';
import { appendEvent } from '../events.ts';
import * as store from '../store.ts';
import { assertAtWork } from './at-work.ts';

export type Stage = 'downloading' | 'decoding' | 'analysing' | 'enriching' | 'saving';

/** Where each stage begins and ends on the way from 0 to 1: listening takes longest, thinking most of the rest. */
const SPANS: Record<Stage, [from: number, to: number]> = {
  downloading: [0, 0.1],
  decoding: [0.1, 0.7],
  analysing: [0.7, 0.95],
  enriching: [0.95, 0.98],
  saving: [0.98, 1],
};

const STEP_FRACTION_MIN = 0.05;
const INTERVAL_MS_MIN = 1_000;

export type ProgressReporter = {
  /** `fraction` of the stage. Cheap to call: most calls write nothing. */
  report(stage: Stage, fraction: number, detail?: string): void;
  /** Waits for what is being written. */
  flush(): Promise<void>;
};

/**
 * Writes progress at the beginning of a stage, and then at most once a second and for a real step. One write at a time; a
 * report that comes meanwhile is dropped, because a newer one follows.
 */
export function createProgressReporter(ctx: Context, lease: Lease, analysisId: string): ProgressReporter {
  let lastStage: Stage | null = null;
  let lastFraction = 0;
  let lastMs = 0;
  let writing: Promise<void> | null = null;

  async function write(stage: Stage, fraction: number, detail: string | undefined): Promise<void> {
    await ctx.db.transaction(async (tx) => {
      await assertAtWork(tx, lease, analysisId);
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
      const fraction =
        Math.round((from + (to - from) * Math.min(Math.max(fractionOfStage, 0), 1)) * 1000) / 1000;
      const nowMs = performance.now();
      const due =
        stage !== lastStage ||
        (fraction - lastFraction >= STEP_FRACTION_MIN && nowMs - lastMs >= INTERVAL_MS_MIN);
      if (!due || writing !== null) return;
      [lastStage, lastFraction, lastMs] = [stage, fraction, nowMs];
      writing = write(stage, fraction, detail)
        // Progress is a courtesy. What is really wrong shows at the next write that matters.
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
