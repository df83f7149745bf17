import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMetrics } from '../../platform/metrics.ts';
import { timeStages } from './stage-clock.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

it('measures each stage from its first report to the first of the next, or to the end', async () => {
  const metrics = createMetrics();
  const reports: unknown[] = [];
  const report = (...given: unknown[]) => void reports.push(given);
  const clock = timeStages({ report, flush: async () => {} }, metrics);

  clock.report('decoding', 0);
  vi.advanceTimersByTime(2_000);
  clock.report('decoding', 0.5);
  vi.advanceTimersByTime(3_000);
  clock.report('analysing', 0, 'tempo');
  vi.advanceTimersByTime(1_000);
  clock.end();
  vi.advanceTimersByTime(1_000);
  clock.end();

  const { values } = await metrics.analysisStages.get();
  const secondsOf = (name: string) =>
    values
      .filter(({ metricName }) => metricName === `earshot_analysis_stage_duration_seconds_${name}`)
      .map(({ labels, value }) => [labels.stage, value]);
  expect(secondsOf('sum')).toEqual([
    ['decoding', 5],
    ['analysing', 1],
  ]);
  expect(secondsOf('count')).toEqual([
    ['decoding', 1],
    ['analysing', 1],
  ]);
  expect(reports).toEqual([
    ['decoding', 0, undefined],
    ['decoding', 0.5, undefined],
    ['analysing', 0, 'tempo'],
  ]);
});
