/** All songs in one table, a row for each, what failed included: for a spreadsheet or a database. */

import { basename } from 'node:path';
import { formatCsvRow, SONG_COLUMNS } from '@earshot/exports';
import type { Outcome } from './song.ts';

export function formatCsv(outcomes: readonly Outcome[]): string {
  const header = ['path', ...SONG_COLUMNS.map(({ name }) => name), 'error'];
  const rows = outcomes.map((outcome) => {
    if ('error' in outcome) return [outcome.path, ...SONG_COLUMNS.map(() => null), outcome.error];
    const song = { fileName: basename(outcome.path), document: outcome.result };
    return [outcome.path, ...SONG_COLUMNS.map(({ of }) => of(song)), null];
  });
  return [header, ...rows].map(formatCsvRow).join('');
}
