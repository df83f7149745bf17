import { type LibraryQuery, PAGE_ROWS } from './library-queries.ts';

export type MeasuredQuery = LibraryQuery & {
  firstMs: number;
  databaseMs: number;
  processorMs: number;
  p95Ms: number;
  gzippedBytes: number;
  rows: number;
  /** More than one when the query exceeded a limit. */
  attemptCount: number;
};

/** Round numbers: half of the time over HTTP is left for everything but the database. */
const LIMITS = { databaseMs: 50, httpMs: 100, pageBytes: 150_000 };

type Run = {
  songCount: number;
  otherSongCount: number;
  seedCount: number;
  roundCount: number;
  coreCount: number;
  loadAverage: number;
  apiMegabytes: number;
  databaseMegabytes: number;
  unreadMs: number;
  linkingMs: number;
  linkingMsMax: number;
};

const ATTEMPTS_MAX = 3;

/**
 * Other work on the machine occasionally delays a query. A query over a limit is therefore measured again, and fails only when it is over
 * the limit every time. `firstMs` stays that of the first measurement, the only one that reads from disk.
 */
export async function measureWithinLimits(
  measure: () => Promise<Omit<MeasuredQuery, 'attemptCount'>>,
): Promise<MeasuredQuery> {
  const first = await measure();
  let one: MeasuredQuery = { ...first, attemptCount: 1 };
  while (isOver(one) && one.attemptCount < ATTEMPTS_MAX) {
    one = { ...(await measure()), firstMs: first.firstMs, attemptCount: one.attemptCount + 1 };
  }
  return one;
}

/** Returns the section of docs/benchmarks.md, and whether every query is within its limits. */
export function formatSection(
  measured: readonly MeasuredQuery[],
  run: Run,
): { text: string; passed: boolean } {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const over = measured.filter(isOver);
  const again = measured.filter(({ attemptCount }) => attemptCount > 1);
  const largest = measured.reduce((most, one) => (one.gzippedBytes > most.gzippedBytes ? one : most));
  const text = [
    '## The library',
    '',
    `\`npm run bench:library\`: a workspace of ${whole(run.songCount)} songs, variations of ${run.seedCount} real results, beside ${whole(run.otherSongCount)} songs of other workspaces;`,
    `embedded PostgreSQL, ${whole(run.databaseMegabytes)} MB; ${run.coreCount} cores, load average ${run.loadAverage.toFixed(1)} at the end. Pages of ${PAGE_ROWS} unless stated otherwise, with the total.`,
    `Database: time a query waits for PostgreSQL, driver included, median of ${run.roundCount}; *first* is the run before them, *processor* the processor time of its server process. HTTP: p95 of ${run.roundCount} over loopback with a key.`,
    `Limits: ${LIMITS.databaseMs} ms, ${LIMITS.httpMs} ms, and ${whole(LIMITS.pageBytes / 1000)} kB gzipped for a page of 200 (${(largest.gzippedBytes / 1000).toFixed(1)} kB). The API process, with the sounds of all songs in memory: ${whole(run.apiMegabytes)} MB.`,
    '',
    '| query | first, ms | database, ms | processor, ms | HTTP p95, ms | rows |',
    '|---|---|---|---|---|---|',
    ...measured.map(
      (one) =>
        `| ${one.name} | ${one.firstMs.toFixed(1)} | ${one.databaseMs.toFixed(1)} | ${one.processorMs.toFixed(1)} | ${one.p95Ms.toFixed(1)} | ${one.rows} |`,
    ),
    '',
    over.length === 0
      ? 'All within their limits.'
      : `Over a limit: ${over.map(({ name }) => name).join('; ')}.`,
    `Measured again after exceeding one, up to twice: ${again.length} of ${measured.length} queries.`,
    '',
    `A process reads the sounds of a library when it is first listed; a \`similar\` before that takes ${whole(run.unreadMs)} ms over HTTP.`,
    `When a song completes, finding copies of it takes ${run.linkingMs.toFixed(1)} ms (median of ${run.roundCount}; at most ${run.linkingMsMax.toFixed(1)} ms), with one song in twenty`,
    'beginning with the same silence.',
  ].join('\n');
  return { text, passed: over.length === 0 };
}

function isOver({ databaseMs, p95Ms, rows, gzippedBytes }: MeasuredQuery): boolean {
  // The size limit is that of the longest page.
  const isTooLarge = rows > PAGE_ROWS && gzippedBytes > LIMITS.pageBytes;
  return databaseMs > LIMITS.databaseMs || p95Ms > LIMITS.httpMs || isTooLarge;
}
