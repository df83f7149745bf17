/** Progress of an import: one line that is redrawn on a terminal, a new line every half minute elsewhere. */

import { COLUMNS_DEFAULT, type ProgressStream } from '../analyze/progress.ts';
import { printable } from '../printable.ts';

/** Often enough to show that it is running: on a terminal, and in a log. */
const REDRAW_MS = 200;
const LINE_EVERY_MS = 30_000;
/** Failures listed at the end: as many as fit on a terminal together with the summary. */
const FAILURES_NAMED_MAX = 20;

export type Tally = {
  count(how: 'uploaded' | 'present'): void;
  fail(name: string, reason: string): void;
  end(): void;
  summary(): string;
  failures: readonly { name: string; reason: string }[];
};

export function createTally(stream: ProgressStream, options: { bars: boolean; nowMs?: () => number }): Tally {
  const { bars, nowMs = Date.now } = options;
  const startedMs = nowMs();
  const counts = { uploaded: 0, present: 0 };
  const failures: { name: string; reason: string }[] = [];
  const isDrawn = bars && stream.isTTY === true;
  let writtenAtMs = startedMs;
  const line = () => {
    const doneCount = counts.uploaded + counts.present + failures.length;
    const songsPerSecond = doneCount / Math.max(1e-3, (nowMs() - startedMs) / 1000);
    const parts = [
      `${grouped(counts.uploaded)} handed over`,
      `${grouped(counts.present)} there already`,
      `${grouped(failures.length)} refused`,
    ];
    return `${grouped(doneCount)} songs: ${parts.join(', ')}; ${songsPerSecond.toFixed(1)}/s`;
  };
  const showProgress = () => {
    const atMs = nowMs();
    if (!bars || atMs - writtenAtMs < (isDrawn ? REDRAW_MS : LINE_EVERY_MS)) return;
    writtenAtMs = atMs;
    // A wrapped line could not be erased.
    const fitting = line().slice(0, (stream.columns || COLUMNS_DEFAULT) - 1);
    stream.write(isDrawn ? `\r\u001b[K${fitting}` : `${line()}\n`);
  };
  return {
    failures,
    count(how) {
      counts[how] += 1;
      showProgress();
    },
    fail(name, reason) {
      failures.push({ name, reason });
      showProgress();
    },
    end() {
      if (isDrawn) stream.write('\r\u001b[K');
      for (const { name, reason } of failures.slice(0, FAILURES_NAMED_MAX))
        stream.write(`${printable(`${name}: ${reason}`)}\n`);
      if (failures.length > FAILURES_NAMED_MAX)
        stream.write(`and ${failures.length - FAILURES_NAMED_MAX} more\n`);
    },
    summary: line,
  };
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
