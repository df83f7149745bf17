/** Shares as docs/accuracy.md prints them: .500 (.450–.550). */

import type { Interval } from './metrics/bootstrap.ts';

export function formatShare(share: number): string {
  return share.toFixed(3).replace(/^0/, '');
}

export function formatInterval({ mean, low, high }: Interval): string {
  return `${formatShare(mean)} (${formatShare(low)}–${formatShare(high)})`;
}
