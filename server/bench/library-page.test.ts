import { describe, expect, it } from 'vitest';
import { formatSection, measureWithinLimits } from './library-page.ts';

const run = {
  songCount: 100_000,
  otherSongCount: 50_000,
  seedCount: 3,
  roundCount: 20,
  coreCount: 2,
  loadAverage: 1,
  apiMegabytes: 300,
  databaseMegabytes: 1800,
  unreadMs: 2000,
  linkingMs: 14,
  linkingMsMax: 40,
};
const QUERY = { name: 'q=night', path: '/', call: 'next' as const };
const WITHIN_LIMITS = { databaseMs: 10, processorMs: 9, p95Ms: 80, gzippedBytes: 9000, rows: 50 };

/** Measures a query that gives these figures, one after another. */
function measure(
  ...answers: { p95Ms?: number; databaseMs?: number; rows?: number; gzippedBytes?: number }[]
) {
  let callCount = 0;
  return measureWithinLimits(async () => ({
    ...QUERY,
    ...WITHIN_LIMITS,
    firstMs: 50 - callCount,
    ...answers[callCount++]!,
  }));
}

describe('a query of the library', () => {
  it.each([
    ['within its limits', [{ p95Ms: 80 }], { p95Ms: 80, attemptCount: 1 }, true],
    ['over a limit once', [{ p95Ms: 180 }, { p95Ms: 80 }], { p95Ms: 80, attemptCount: 2 }, true],
    [
      'over a limit twice',
      [{ p95Ms: 180 }, { p95Ms: 101 }, { p95Ms: 100 }],
      { p95Ms: 100, attemptCount: 3 },
      true,
    ],
    [
      'always over the limit of HTTP',
      [180, 150, 120].map((p95Ms) => ({ p95Ms })),
      { attemptCount: 3 },
      false,
    ],
    ['always over the limit of the database', Array(3).fill({ databaseMs: 51 }), { attemptCount: 3 }, false],
    ['always too large', Array(3).fill({ rows: 200, gzippedBytes: 150_001 }), { attemptCount: 3 }, false],
    ['large without many rows', [{ rows: 50, gzippedBytes: 150_001 }], { attemptCount: 1 }, true],
  ])('%s', async (_, answers, expected, passes) => {
    const measured = await measure(...answers);
    expect(measured).toMatchObject({ ...expected, firstMs: 50 });
    const { passed, text } = formatSection([measured, await measure({})], run);
    expect(passed).toBe(passes);
    expect(text).toContain(`up to twice: ${expected.attemptCount > 1 ? 1 : 0} of 2 queries`);
  });
});
