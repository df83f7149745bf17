/** A song as one line: the values a DJ looks for first. */

import type { JobData } from '@earshot/sdk';
import { printable } from '../printable.ts';

export function formatSong({ id, status, file_name, headline }: JobData): string {
  if (!headline) return toLine([id, status, file_name]);
  const { title, artist, bpm, camelot, key_notation, energy } = headline;
  const numbers = [
    bpm === null ? '–' : `${bpm.toFixed(1)} BPM`,
    `${camelot ?? '–'} ${key_notation ?? ''}`.trim(),
    energy === null ? '–' : `energy ${energy.toFixed(2)}`,
  ];
  return toLine([id, ...numbers, [artist, title].filter(Boolean).join(' – ')]);
}

function toLine(parts: (string | null)[]): string {
  return printable(parts.filter(Boolean).join('  '));
}
