import { context } from '@opentelemetry/api';
import type { Metrics } from '../../platform/metrics.ts';
import { startSpan } from '../../platform/tracing.ts';
import { type ProgressReporter, STAGES, type Stage } from './progress.ts';

/**
 * Times an attempt by the stages it reports, for /metrics and as spans of its trace. Stages only go forward; the decoder
 * and the engine run side by side, so one may still report the stage that the other has left.
 */
export function timeStages(progress: ProgressReporter, metrics: Metrics): ProgressReporter & { end(): void } {
  // Reports come from callbacks of other processes and threads, which know nothing of the span they belong to.
  const parent = context.active();
  let current: { stage: Stage; startedMs: number; span: ReturnType<typeof startSpan> } | null = null;
  let last = -1;

  function leave(): void {
    if (current === null) return;
    const seconds = (performance.now() - current.startedMs) / 1000;
    metrics.analysisStages.observe({ stage: current.stage }, seconds);
    current.span.end();
    current = null;
  }
  return {
    ...progress,
    report(stage, fraction, detail) {
      if (STAGES.indexOf(stage) > last) {
        leave();
        last = STAGES.indexOf(stage);
        current = { stage, startedMs: performance.now(), span: startSpan(`analysis ${stage}`, { parent }) };
      }
      progress.report(stage, fraction, detail);
    },
    end() {
      leave();
      last = STAGES.length;
    },
  };
}
