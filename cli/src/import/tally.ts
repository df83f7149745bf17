/** How far an import is: a line that is drawn again on a terminal, a line now and then anywhere else. */

import { COLUMNS_DEFAULT, type ProgressStream } from '../analyze/progress.ts';

const REDRAW_MS = 200;
const LINE_EVERY_MS = 30_000;
/** Named at the end; more would hide the rest. */
const FAILURES_SHOWN = 20;

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
  const drawn = bars && stream.isTTY === true;
  let toldMs = startedMs;
  const line = () => {
    const done = counts.sent + counts.there + failures.length;
    const perSecond = done / Math.max(1e-3, (nowMs() - startedMs) / 1000);
    return `${whole(done)} songs: ${whole(counts.sent)} handed over, ${whole(counts.there)} there already, ${whole(failures.length)} refused; ${perSecond.toFixed(1)}/s`;
  };
  const tell = () => {
    const atMs = nowMs();
    if (!bars || atMs - toldMs < (drawn ? REDRAW_MS : LINE_EVERY_MS)) return;
    toldMs = atMs;
    // A line that wraps could not be drawn over.
    const fitting = line().slice(0, (stream.columns || COLUMNS_DEFAULT) - 1);
    stream.write(drawn ? `\r\u001b[K${fitting}` : `${line()}\n`);
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
      if (drawn) stream.write('\r\u001b[K');
      for (const { name, reason } of failures.slice(0, FAILURES_SHOWN))
        stream.write(`${printable(name)}: ${reason}\n`);
      if (failures.length > FAILURES_SHOWN) stream.write(`and ${failures.length - FAILURES_SHOWN} more\n`);
    },
    summary: line,
  };
}

/** Names of files are whatever their owner wrote, also what a terminal would obey. */
function printable(name: string): string {
  return name.replace(/\p{Cc}/gu, '\u{fffd}');
}

function whole(count: number): string {
  return count.toLocaleString('en');
}
