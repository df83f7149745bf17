/** How far an import is: a line that is drawn again on a terminal, a line now and then anywhere else. */

import { COLUMNS_DEFAULT, type ProgressStream } from '../analyze/progress.ts';
import { printable } from '../printable.ts';

/** Chosen: often enough to see that it moves, on a terminal and in a log. */
const REDRAW_MS = 200;
const LINE_EVERY_MS = 30_000;
/** Named at the end; more would hide the rest. */
const FAILURES_NAMED_MAX = 20;

export type Tally = {
  count(how: 'sent' | 'there'): void;
  fail(name: string, reason: string): void;
  end(): void;
  summary(): string;
  failures: readonly { name: string; reason: string }[];
};

export function createTally(stream: ProgressStream, options: { bars: boolean; nowMs?: () => number }): Tally {
  const { bars, nowMs = Date.now } = options;
  const startedMs = nowMs();
  const counts = { sent: 0, there: 0 };
  const failures: { name: string; reason: string }[] = [];
  const isDrawn = bars && stream.isTTY === true;
  let toldMs = startedMs;
  const line = () => {
    const doneCount = counts.sent + counts.there + failures.length;
    const songsPerSecond = doneCount / Math.max(1e-3, (nowMs() - startedMs) / 1000);
    return `${grouped(doneCount)} songs: ${grouped(counts.sent)} handed over, ${grouped(counts.there)} there already, ${grouped(failures.length)} refused; ${songsPerSecond.toFixed(1)}/s`;
  };
  const tell = () => {
    const atMs = nowMs();
    if (!bars || atMs - toldMs < (isDrawn ? REDRAW_MS : LINE_EVERY_MS)) return;
    toldMs = atMs;
    // A line that wraps could not be drawn over.
    const fitting = line().slice(0, (stream.columns || COLUMNS_DEFAULT) - 1);
    stream.write(isDrawn ? `\r\u001b[K${fitting}` : `${line()}\n`);
  };
  return {
    failures,
    count(how) {
      counts[how] += 1;
      tell();
    },
    fail(name, reason) {
      failures.push({ name, reason });
      tell();
    },
    end() {
      if (isDrawn) stream.write('\r\u001b[K');
      for (const { name, reason } of failures.slice(0, FAILURES_NAMED_MAX))
        stream.write(`${printable(name)}: ${reason}\n`);
      if (failures.length > FAILURES_NAMED_MAX)
        stream.write(`and ${failures.length - FAILURES_NAMED_MAX} more\n`);
    },
    summary: line,
  };
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
