/** Progress bars on a terminal: one per running song and one for all. Nothing is drawn elsewhere, to keep piped output clean. */

import { fitColumns } from '../columns.ts';
import { printable } from '../printable.ts';

const BAR_COLUMNS = 24;
/** About twelve times a second: smooth to the eye, without a write for every block. */
const REDRAW_MS = 80;
/** When the terminal does not report its width. */
export const COLUMNS_DEFAULT = 80;

export type ProgressStream = {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  write(text: string): unknown;
};

export type Progress = {
  /** Draws the bar of one song. */
  start(label: string): { update(fraction: number): void; end(): void };
  /** Erases all bars, until the next change. */
  clear(): void;
};

export function createProgress(
  stream: ProgressStream,
  options: { enabled: boolean; songCount: number; nowMs?: () => number },
): Progress {
  if (!options.enabled || !stream.isTTY)
    return { start: () => ({ update: () => {}, end: () => {} }), clear: () => {} };
  const { songCount, nowMs = Date.now } = options;
  const running = new Map<symbol, { label: string; fraction: number }>();
  let doneCount = 0;
  let drawnLineCount = 0;
  let drawnAtMs = Number.NEGATIVE_INFINITY;

  function erase(): void {
    stream.write(drawnLineCount > 1 ? `\u001b[${drawnLineCount - 1}A\r\u001b[J` : '\r\u001b[J');
    drawnLineCount = 0;
  }
  function draw(): void {
    const songs = [...running.values()];
    // Lines that have scrolled off the screen cannot be erased.
    const songLinesMax = (stream.rows || Number.POSITIVE_INFINITY) - (songCount > 1 ? 1 : 0);
    const lines = songs
      .slice(0, Math.max(0, songLinesMax))
      .map(({ label, fraction }) => `${drawBar(fraction)} ${label}`);
    if (songCount > 1) {
      const doneSongs = doneCount + songs.reduce((sum, { fraction }) => sum + fraction, 0);
      lines.push(`${drawBar(doneSongs / songCount)} ${doneCount} of ${songCount} songs`);
    }
    erase();
    const columnsMax = (stream.columns || COLUMNS_DEFAULT) - 1;
    stream.write(lines.map((line) => fitColumns(line, columnsMax)).join('\n'));
    drawnLineCount = lines.length;
    drawnAtMs = nowMs();
  }

  return {
    start(label) {
      const id = Symbol(label);
      running.set(id, { label: printable(label), fraction: 0 });
      draw();
      return {
        update(fraction) {
          running.set(id, { label: printable(label), fraction });
          if (nowMs() - drawnAtMs >= REDRAW_MS) draw();
        },
        end() {
          running.delete(id);
          doneCount += 1;
          draw();
        },
      };
    },
    clear: erase,
  };
}

export function drawBar(fraction: number): string {
  const bounded = Math.min(1, Math.max(0, fraction));
  const filledColumns = Math.round(bounded * BAR_COLUMNS);
  return `${'█'.repeat(filledColumns)}${'░'.repeat(BAR_COLUMNS - filledColumns)} ${String(Math.round(bounded * 100)).padStart(3)} %`;
}
