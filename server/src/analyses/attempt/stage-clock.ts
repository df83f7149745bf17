import { context } from '@opentelemetry/api';
import type { Metrics } from '../../platform/metrics.ts';
import { startSpan } from '../../platform/tracing.ts';
import type { ProgressReporter, Stage } from './progress.ts';

/** Times the stages that an attempt reports, for /metrics and as spans of its trace. */
export function timeStages(progress: ProgressReporter, metrics: Metrics): ProgressReporter & { end(): void } {
  // Reports arrive in message callbacks of another process, outside the context of the attempt's span.
  const parent = context.active();
  let current: { stage: Stage; startedMs: number; span: ReturnType<typeof startSpan> } | null = null;

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
      if (stage !== current?.stage) {
        leave();
        current = { stage, startedMs: performance.now(), span: startSpan(`analysis ${stage}`, { parent }) };
      }
      progress.report(stage, fraction, detail);
    },
    end: leave,
  };
}
