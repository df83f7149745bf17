import type { LibraryQuery } from './library-queries.ts';

export type MeasuredQuery = LibraryQuery & {
  firstMs: number;
  databaseMs: number;
  processorMs: number;
  p95Ms: number;
  gzippedBytes: number;
  rows: number;
  /** How often the question was measured; more than once when it was over a limit. */
  times: number;
};

/** Promised for 100,000 songs: 50 ms of database time for a search, and 100 ms for neighbours. The size of a page is chosen. */
const LIMITS = { databaseMs: 50, httpMs: 100, pageBytes: 150_000 };
/** The limit of size is that of a page with more rows than this. */
const PAGE_ROWS = 50;

type Run = {
  songs: number;
  others: number;
  seeds: number;
  rounds: number;
  cores: number;
  loadAverage: number;
  apiMegabytes: number;
  databaseMegabytes: number;
  unreadMs: number;
  linkingMs: number;
  linkingMsMax: number;
};

const TIMES_MAX = 3;

/**
 * Other work on the machine delays a random question now and then. A question over a limit is therefore measured again, and counts
 * as over only when it is over every time. `firstMs` stays that of the first measurement: only then are the pages read from disk.
 */
export async function measureWithinLimits(
  measure: () => Promise<Omit<MeasuredQuery, 'times'>>,
): Promise<MeasuredQuery> {
  const first = await measure();
  let one: MeasuredQuery = { ...first, times: 1 };
  while (isOver(one) && one.times < TIMES_MAX) {
    one = { ...(await measure()), firstMs: first.firstMs, times: one.times + 1 };
  }
  return one;
}

/** The section of docs/benchmarks.md, and whether every question kept its limits. */
export function writeSection(
  measured: readonly MeasuredQuery[],
  run: Run,
): { text: string; passed: boolean } {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const over = measured.filter(isOver);
  const again = measured.filter(({ times }) => times > 1);
  const largest = measured.reduce((most, one) => (one.gzippedBytes > most.gzippedBytes ? one : most));
  const text = [
    '## The library',
    '',
    `\`npm run bench:library\`: a workspace of ${whole(run.songs)} songs, made from ${run.seeds} real results varied, beside ${whole(run.others)} songs of other workspaces;`,
    `embedded PostgreSQL, ${whole(run.databaseMegabytes)} MB; ${run.cores} cores, load average ${run.loadAverage.toFixed(1)} at the end. Pages of ${PAGE_ROWS} unless said otherwise, with the total.`,
    `Database: what a question waits for PostgreSQL, driver included, median of ${run.rounds}; *first* is the one before them, *processor* what its server process computed. HTTP: p95 of ${run.rounds} over loopback with a key.`,
    `Limits: ${LIMITS.databaseMs} ms, ${LIMITS.httpMs} ms, and ${whole(LIMITS.pageBytes / 1000)} kB gzipped for a page of 200 (${(largest.gzippedBytes / 1000).toFixed(1)} kB). The API process, with the sounds of all songs in memory: ${whole(run.apiMegabytes)} MB.`,
    '',
    '| question | first, ms | database, ms | processor, ms | HTTP p95, ms | rows |',
    '|---|---|---|---|---|---|',
    ...measured.map(
      (one) =>
        `| ${one.name} | ${one.firstMs.toFixed(1)} | ${one.databaseMs.toFixed(1)} | ${one.processorMs.toFixed(1)} | ${one.p95Ms.toFixed(1)} | ${one.rows} |`,
    ),
    '',
    over.length === 0
      ? 'All within their limits.'
      : `Over a limit: ${over.map(({ name }) => name).join('; ')}.`,
    `Asked again because they were over one, up to twice: ${again.length} of ${measured.length} questions.`,
    '',
    `A process reads the sounds of a library when it is first listed; a \`similar\` that comes before takes ${whole(run.unreadMs)} ms over HTTP.`,
    `When a song completes, whether it is a copy of any of the others is found in ${run.linkingMs.toFixed(1)} ms (median of ${run.rounds}; the longest ${run.linkingMsMax.toFixed(1)} ms), one song in twenty`,
    'beginning with the same silence.',
  ].join('\n');
  return { text, passed: over.length === 0 };
}

function isOver({ databaseMs, p95Ms, rows, gzippedBytes }: MeasuredQuery): boolean {
  const isTooLarge = rows > PAGE_ROWS && gzippedBytes > LIMITS.pageBytes;
  return databaseMs > LIMITS.databaseMs || p95Ms > LIMITS.httpMs || isTooLarge;
}
