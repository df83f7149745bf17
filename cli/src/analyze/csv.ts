/** All songs in one table, a row for each, as RFC 4180 writes it: for a spreadsheet or a database. */

import { type CsvCell, formatCsvRow, type ResultDocument } from '@earshot/exports';
import type { Outcome } from './song.ts';

const COLUMNS: readonly (readonly [name: string, of: (result: ResultDocument) => CsvCell])[] = [
  ['title', (result) => tag(result, 'title')],
  ['artist', (result) => tag(result, 'artist')],
  ['album', (result) => tag(result, 'album')],
  ['duration_seconds', (result) => result.duration_seconds],
  ['bpm', (result) => result.bpm],
  ['bpm_confidence', (result) => result.bpm_confidence],
  ['time_signature', (result) => result.time_signature],
  ['key', (result) => result.key_notation],
  ['camelot', (result) => result.camelot],
  ['open_key', (result) => result.open_key],
  ['key_confidence', (result) => result.key_confidence],
  ['loudness_lufs', (result) => result.loudness_lufs],
  ['loudness_range_lu', (result) => result.loudness?.range_lu ?? null],
  ['true_peak_dbtp', (result) => result.true_peak_dbtp],
  ['energy', (result) => result.energy],
  ['danceability', (result) => result.danceability],
  ['valence', (result) => result.valence],
  ['acousticness', (result) => result.acousticness],
  ['instrumentalness', (result) => result.instrumentalness],
  ['speechiness', (result) => result.speechiness],
  ['genre', (result) => result.genre_suggestions[0] ?? null],
  ['moods', (result) => result.mood_tags.join(', ') || null],
  ['voice_presence', (result) => result.content?.voice_presence ?? null],
];

export function formatCsv(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((outcome) =>
    'error' in outcome
      ? [outcome.path, ...COLUMNS.map(() => null), outcome.error]
      : [outcome.path, ...COLUMNS.map(([, of]) => of(outcome.result)), null],
  );
  return [['path', ...COLUMNS.map(([name]) => name), 'error'], ...rows].map(formatCsvRow).join('');
}

function tag({ file }: ResultDocument, name: 'title' | 'artist' | 'album'): string | null {
  return file.tags[name] ?? null;
}
