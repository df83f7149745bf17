/** How far an import is: a line that is drawn again on a terminal, a line now and then anywhere else. */

import type { ProgressStream } from '../analyze/progress.ts';

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
    const now = nowMs();
    if (!bars || now - toldMs < (drawn ? REDRAW_MS : LINE_EVERY_MS)) return;
    toldMs = now;
    stream.write(drawn ? `\r\u001b[K${line()}` : `${line()}\n`);
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
      for (const { name, reason } of failures.slice(0, FAILURES_SHOWN)) stream.write(`${name}: ${reason}\n`);
      if (failures.length > FAILURES_SHOWN) stream.write(`and ${failures.length - FAILURES_SHOWN} more\n`);
    },
    summary: line,
  };
}

function whole(count: number): string {
  return count.toLocaleString('en');
}
