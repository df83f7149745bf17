import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { createTestMember } from '../../test/member.ts';
import { cancelAnalysis, createAnalyses, getAnalysisOfWorkspace, PLAIN_ANALYSIS } from '../analyses.ts';
import { listEvents } from '../events.ts';
import { createProgressReporter } from './progress.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

async function startReporting() {
  const member = await createTestMember(ctx);
  const items = [{ ...PLAIN_ANALYSIS, source: { url: 'http://127.0.0.1:9/a.wav' } }];
  const [created] = await db.transaction((tx) => createAnalyses(member, tx, { surface: 'workspace', items }));
  const { id } = created!;
  const job = await db.one<{ id: number; claims: number }>(
    `update jobs set state = 'running', claims = claims + 1 where payload->>'analysisId' = $1 returning id, claims`,
    [id],
  );
  const reporter = createProgressReporter(ctx, { jobId: job.id, claim: job.claims }, id);
  const written = async () =>
    (await listEvents(db, id))
      .filter(({ eventType }) => eventType === 'analysis.progress')
      .map(({ metadata }) => metadata);
  return { member, id, reporter, written };
}

/** By the spans of the stages: decoding is 0.1 to 0.7 of the whole, analysing 0.7 to 0.95. */
it('writes the beginning of a stage at once, and then steps of 5 % at most once a second', async () => {
  const { member, id, reporter, written } = await startReporting();
  const report = async (...given: Parameters<typeof reporter.report>) => {
    reporter.report(...given);
    await reporter.flush();
  };
  await report('decoding', 0);
  await report('decoding', 0.5);
  vi.advanceTimersByTime(1_000);
  await report('decoding', 0.08);
  await report('decoding', 0.5);
  await report('analysing', 2, 'tempo');
  expect(await written()).toEqual([
    { stage: 'decoding', progress: 0.1 },
    { stage: 'decoding', progress: 0.4 },
    { stage: 'analysing', progress: 0.95, detail: 'tempo' },
  ]);
  const { stage, progress } = await getAnalysisOfWorkspace(member, id);
  // The column has 32 bits, which are seven digits.
  expect([stage, progress]).toEqual(['analysing', expect.closeTo(0.95, 6)]);
});

it('drops a report that comes during a write', async () => {
  const { reporter, written } = await startReporting();
  reporter.report('decoding', 0);
  reporter.report('analysing', 0);
  await reporter.flush();
  expect(await written()).toEqual([{ stage: 'decoding', progress: 0.1 }]);
});

it('writes nothing after a cancellation, and does not fail the attempt', async () => {
  const { member, id, reporter, written } = await startReporting();
  await cancelAnalysis(member, id);
  reporter.report('decoding', 0);
  await reporter.flush();
  expect(await written()).toEqual([]);
});
