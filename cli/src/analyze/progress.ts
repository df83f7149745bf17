/** A bar for each song at work and one for all of them, on a terminal; nothing anywhere else, so that what is piped stays clean. */

const WIDTH = 24;
const REDRAW_MS = 80;
export const COLUMNS_DEFAULT = 80;

export type ProgressStream = { isTTY?: boolean; columns?: number; write(text: string): unknown };

export type Progress = {
  /** Begins the bar of one song. */
  start(label: string): { update(fraction: number): void; end(): void };
  /** Takes all bars away. */
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
  let done = 0;
  let drawnLines = 0;
  let drawnAtMs = Number.NEGATIVE_INFINITY;

  function erase(): void {
    stream.write(drawnLines > 1 ? `\u001b[${drawnLines - 1}A\r\u001b[J` : '\r\u001b[J');
    drawnLines = 0;
  }
  function draw(): void {
    const songs = [...running.values()];
    const lines = songs.map(({ label, fraction }) => `${drawBar(fraction)} ${label}`);
    if (songCount > 1) {
      const whole = done + songs.reduce((sum, { fraction }) => sum + fraction, 0);
      lines.push(`${drawBar(whole / songCount)} ${done} of ${songCount} songs`);
    }
    erase();
    stream.write(lines.map((line) => line.slice(0, (stream.columns || COLUMNS_DEFAULT) - 1)).join('\n'));
    drawnLines = lines.length;
    drawnAtMs = nowMs();
  }

  return {
    start(label) {
      const id = Symbol(label);
      running.set(id, { label, fraction: 0 });
      draw();
      return {
        update(fraction) {
          running.set(id, { label, fraction });
          if (nowMs() - drawnAtMs >= REDRAW_MS) draw();
        },
        end() {
          running.delete(id);
          done += 1;
          draw();
        },
      };
    },
    clear: erase,
  };
}

export function drawBar(fraction: number): string {
  const bounded = Math.min(1, Math.max(0, fraction));
  const filled = Math.round(bounded * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${String(Math.round(bounded * 100)).padStart(3)} %`;
}
