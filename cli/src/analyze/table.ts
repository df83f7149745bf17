/** The headline values of songs, as an aligned table or as single lines. */

import { basename } from 'node:path';
import { formatClock, type ResultDocument } from '@earshot/exports';
import { columnsOf, fitColumns } from '../columns.ts';
import { printable } from '../printable.ts';
import type { Outcome } from './song.ts';

const NAME_COLUMNS_MAX = 40;

type Column = { title: string; of: (result: ResultDocument, path: string) => string };

const COLUMNS: readonly Column[] = [
  { title: 'file', of: (_, path) => shortName(path) },
  { title: 'length', of: (result) => formatClock(result.duration_seconds) },
  { title: 'bpm', of: (result) => orDash(result.bpm, (bpm) => bpm.toFixed(2)) },
  { title: 'sure', of: (result) => orDash(result.bpm_confidence, formatPercent) },
  { title: 'meter', of: (result) => orDash(result.time_signature, (beats) => `${beats}/4`) },
  { title: 'key', of: (result) => orDash(result.key_notation, String) },
  { title: 'sure', of: (result) => orDash(result.key_confidence, formatPercent) },
  { title: 'camelot', of: (result) => orDash(result.camelot, String) },
  { title: 'LUFS', of: (result) => orDash(result.loudness_lufs, (lufs) => lufs.toFixed(1)) },
  { title: 'peak dBTP', of: (result) => orDash(result.true_peak_dbtp, (dbtp) => dbtp.toFixed(1)) },
  { title: 'genre', of: (result) => orDash(result.genre_suggestions[0] ?? null, String) },
];

/** The cells of a song, or the sentence about its failure. */
export type TableRow = string[] | string;

export function tableRowOf(outcome: Outcome): TableRow {
  if ('error' in outcome) return formatFailure(outcome);
  return COLUMNS.map(({ of }) => of(outcome.result, outcome.path));
}

export function formatTable(rows: readonly TableRow[]): string {
  const songs = rows.filter((row) => typeof row !== 'string');
  const header = COLUMNS.map(({ title }) => title);
  const widths = header.map((title, column) =>
    songs.reduce((width, cells) => Math.max(width, columnsOf(cells[column]!)), title.length),
  );
  const formatRow = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const space = ' '.repeat(widths[column]! - columnsOf(cell));
        return column === 0 ? cell + space : space + cell;
      })
      .join('  ');
  return [formatRow(header), ...rows.map((row) => (typeof row === 'string' ? row : formatRow(row)))].join(
    '\n',
  );
}

/** One unaligned line, for songs that are printed one at a time. */
export function formatLine(outcome: Outcome): string {
  if ('error' in outcome) return formatFailure(outcome);
  const { bpm, key_notation: key, camelot, loudness_lufs: lufs } = outcome.result;
  return [
    shortName(outcome.path),
    orDash(bpm, (value) => `${value.toFixed(2)} BPM`),
    orDash(key, (value) => `${value} (${camelot})`),
    orDash(lufs, (value) => `${value.toFixed(1)} LUFS`),
  ].join('  ');
}

function formatFailure({ path, error }: { path: string; error: string }): string {
  return `${shortName(path)}: ${printable(error)}`;
}

function orDash<T>(value: T | null, format: (value: T) => string): string {
  return value === null ? '–' : format(value);
}

function shortName(path: string): string {
  const name = printable(basename(path));
  return columnsOf(name) > NAME_COLUMNS_MAX ? `${fitColumns(name, NAME_COLUMNS_MAX - 1)}…` : name;
}

function formatPercent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}
