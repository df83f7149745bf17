/** Shares as the accuracy page prints them: three decimals, and an interval in brackets. */

import type { Interval } from './metrics/bootstrap.ts';

export function formatShare(share: number): string {
  return share.toFixed(3).replace(/^0/, '');
}

export function formatInterval({ mean, low, high }: Interval): string {
  return `${formatShare(mean)} (${formatShare(low)}–${formatShare(high)})`;
}
