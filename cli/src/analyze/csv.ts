/** The table that --csv writes: a row per song, with the reason where its analysis failed. */

import { basename } from 'node:path';
import { formatCsvRow, SONG_COLUMNS } from '@earshot/exports';
import type { Outcome } from './song.ts';

export const CSV_HEADER = formatCsvRow(['path', ...SONG_COLUMNS.map(({ name }) => name), 'error']);

export function csvRowOf(outcome: Outcome): string {
  if ('error' in outcome) return formatCsvRow([outcome.path, ...SONG_COLUMNS.map(() => null), outcome.error]);
  const song = { names: null, fileName: basename(outcome.path), document: outcome.result };
  return formatCsvRow([outcome.path, ...SONG_COLUMNS.map(({ of }) => of(song)), null]);
}
