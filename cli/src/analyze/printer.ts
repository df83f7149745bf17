/**
 * Prints the songs of a run and writes its CSV table. Keeps only the table rows of printed songs, so that memory does not grow
 * with their results.
 */

import { writeFileSync } from 'node:fs';
import type { AnalyzeOptions } from './analyze-options.ts';
import { CSV_HEADER, csvRowOf } from './csv.ts';
import type { Outcome } from './song.ts';
import { formatTable, type TableRow, tableRowOf } from './table.ts';

export type Printer = {
  /** Songs may come in any order; JSON lines and table rows are in the order of `index`. */
  add(index: number, outcome: Outcome): Promise<void>;
  /** After a failure some indexes are missing: those songs were not started. */
  finish(): void;
};

export function createPrinter(
  { formats, outFolder, csv, json }: AnalyzeOptions,
  songCount: number,
  print: (text: string | Uint8Array) => void,
): Printer {
  const csvRows: string[] = [];
  const tableRows: TableRow[] = [];
  const waitingLines = new Map<number, string>();
  let nextIndex = 0;
  const [format] = formats;
  const printsExport = format !== undefined && outFolder === null;
  const printsJson = json && !printsExport;
  const printsTable = !printsExport && !json && csv !== '-';

  return {
    async add(index, outcome) {
      if (csv !== null) csvRows[index] = csvRowOf(outcome);
      if (printsTable || (printsExport && 'error' in outcome)) tableRows[index] = tableRowOf(outcome);
      if (printsExport && 'result' in outcome) print(await outcome.writeExport(format));
      if (!printsJson) return;
      // A single song is indented for people; several have one line each.
      const isSingle = songCount === 1 && 'result' in outcome;
      const text = isSingle ? JSON.stringify(outcome.result, null, 2) : formatJsonLine(outcome);
      waitingLines.set(index, `${text}\n`);
      for (; waitingLines.has(nextIndex); nextIndex++) {
        print(waitingLines.get(nextIndex)!);
        waitingLines.delete(nextIndex);
      }
    },
    finish() {
      for (const [, line] of [...waitingLines].sort(([a], [b]) => a - b)) print(line);
      const table = CSV_HEADER + csvRows.join('');
      if (csv === '-') print(table);
      else if (csv !== null) writeFileSync(csv, table);
      const rows = tableRows.filter((row) => row !== undefined);
      if (printsTable || rows.length > 0) print(`${formatTable(rows)}\n`);
    },
  };
}

export function formatJsonLine(outcome: Outcome): string {
  const { path } = outcome;
  return JSON.stringify(
    'error' in outcome ? { path, error: outcome.error } : { path, result: outcome.result },
  );
}
