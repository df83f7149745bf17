import type { ExportSource } from './export-source.ts';

export type CsvCell = string | number | null;
type Row = [
  kind: string,
  startSeconds: CsvCell,
  endSeconds: CsvCell,
  label: CsvCell,
  value: CsvCell,
  confidence: CsvCell,
];

const HEADER: Row = ['kind', 'start_seconds', 'end_seconds', 'label', 'value', 'confidence'];

/** The summary and the events of form, harmony, rhythm and quality in one table (RFC 4180), for a spreadsheet. */
export function writeCsv(source: ExportSource): string {
  const { rhythm, tonal, structure, quality } = source.document;
  const rows: Row[] = [
    HEADER,
    ...summaryRows(source),
    ...(structure?.sections ?? []).map(
      (s): Row => ['section', s.start_seconds, s.end_seconds, s.label, s.group, s.confidence],
    ),
    ...(tonal?.key_changes ?? []).map(
      (k): Row => ['key', k.start_seconds, k.end_seconds, `${k.key} ${k.scale}`, null, k.confidence],
    ),
    ...(tonal?.chords ?? []).map(
      (c): Row => ['chord', c.start_seconds, c.end_seconds, c.label, c.roman, c.confidence],
    ),
    ...(rhythm?.beats ?? []).map(
      (b): Row => [
        'beat',
        b.time_seconds,
        null,
        `${b.bar + 1}.${b.beat_in_bar}`,
        b.beat_in_bar,
        b.confidence,
      ],
    ),
    ...(rhythm?.tempo_curve ?? []).map((t): Row => ['tempo', t.time_seconds, null, null, t.bpm, null]),
    ...(rhythm?.onsets ?? []).map((o): Row => ['onset', o.time_seconds, null, null, o.strength, null]),
    ...(quality?.events ?? []).map(
      (e): Row => ['quality', e.start_seconds, e.end_seconds, e.kind, e.severity, null],
    ),
  ];
  return rows.map(formatCsvRow).join('');
}

function summaryRows(source: ExportSource): Row[] {
  const { document: result } = source;
  const row = (label: string, value: CsvCell, confidence: CsvCell = null): Row => [
    'summary',
    null,
    null,
    label,
    value,
    confidence,
  ];
  return [
    row('duration_seconds', result.duration_seconds),
    row('bpm', result.bpm, result.bpm_confidence),
    row('time_signature', result.time_signature),
    row('key', result.key_notation, result.key_confidence),
    row('camelot', result.camelot),
    row('loudness_lufs', result.loudness_lufs),
    row('true_peak_dbtp', result.true_peak_dbtp),
    row('energy', result.energy),
    row('danceability', result.danceability),
    row('valence', result.valence),
    row('acousticness', result.acousticness),
    row('instrumentalness', result.instrumentalness),
    row('speechiness', result.speechiness),
  ];
}

/** One line of a table (RFC 4180), with its line break. */
export function formatCsvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  // A spreadsheet would run a text that begins like a formula; an apostrophe prevents that. Titles and file names that begin this way
  // ("-intro.mp3", "@home") get one too, which a program that reads the table has to remove.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
