/** A bar on a terminal, nothing anywhere else: output that is piped or logged stays clean. */

const WIDTH = 24;
const REDRAW_MS = 80;

export type ProgressBar = { update(fraction: number): void; clear(): void };

export function createProgressBar(label: string, stream: NodeJS.WriteStream, enabled: boolean): ProgressBar {
  if (!enabled || !stream.isTTY) return { update: () => {}, clear: () => {} };
  let drawnAtMs = 0;
  return {
    update(fraction) {
      const nowMs = Date.now();
      if (nowMs - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = nowMs;
      stream.write(`\r\u001b[K${drawBar(fraction)} ${label}`);
    },
    clear() {
      stream.write('\r\u001b[K');
    },
  };
}

export function drawBar(fraction: number): string {
  const bounded = Math.min(1, Math.max(0, fraction));
  const filled = Math.round(bounded * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${String(Math.round(bounded * 100)).padStart(3)} %`;
}
