/** `earshot analyze FILE...` */

import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { DecodeError } from '@earshot/decode';
import type { AnalysisHints } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { writeReportHtml, writeReportPdf } from '@earshot/exports';
import { analyseFile } from './analyse-file.ts';
import { EXIT } from './exit-codes.ts';
import { findAudioFiles } from './find-audio-files.ts';
import { createProgressBar } from './progress-bar.ts';
import { formatTable, type TableRow } from './table.ts';

class UsageError extends Error {}

export async function runAnalyze(args: readonly string[]): Promise<number> {
  try {
    const { files, hints, json, outFolder, reportPath, progress } = readArguments(args);
    const models = loadModels();
    const rows: TableRow[] = [];
    for (const [index, path] of files.entries()) {
      const counter = files.length > 1 ? `${index + 1}/${files.length} ` : '';
      const bar = createProgressBar(`${counter}${basename(path)}`, process.stderr, progress);
      rows.push(await analyseOne(path, () => analyseFile(path, hints, models, bar.update)));
      bar.clear();
    }
    if (outFolder) writeResults(rows, outFolder);
    if (reportPath) await writeReport(rows[0]!, reportPath);
    if (json) printJson(rows);
    else console.log(formatTable(rows));
    return rows.some((row) => 'error' in row) ? EXIT.someFailed : EXIT.ok;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`earshot: ${error.message}`);
    return EXIT.usage;
  }
}

/** A file that cannot be analysed is a line of the answer, not the end of the run. */
async function analyseOne(path: string, analyse: () => ReturnType<typeof analyseFile>): Promise<TableRow> {
  try {
    const { document, visuals } = await analyse();
    return { path, result: document, visuals };
  } catch (error) {
    if (error instanceof DecodeError) return { path, error: error.message };
    throw error;
  }
}

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        out: { type: 'string' },
        report: { type: 'string' },
        bpm: { type: 'string' },
        'bpm-min': { type: 'string' },
        'bpm-max': { type: 'string' },
        key: { type: 'string' },
        meter: { type: 'string' },
        'no-progress': { type: 'boolean', default: false },
      },
    });
    const files = findAudioFiles(positionals);
    if (files.length === 0)
      throw new UsageError('name at least one audio file or a folder with some. Try: earshot --help');
    if (values.report && files.length > 1) throw new UsageError('--report writes about one song at a time');
    if (values.report && !/\.(html|pdf)$/.test(values.report)) {
      throw new UsageError(`--report wants a name ending in .html or .pdf, not "${values.report}"`);
    }
    const hints: AnalysisHints = {
      bpm: readNumber('--bpm', values.bpm),
      bpmMin: readNumber('--bpm-min', values['bpm-min']),
      bpmMax: readNumber('--bpm-max', values['bpm-max']),
      key: values.key,
      timeSignature: readNumber('--meter', values.meter),
    };
    return {
      files,
      hints,
      json: values.json,
      outFolder: values.out,
      reportPath: values.report,
      progress: !values['no-progress'],
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError((error as Error).message);
  }
}

function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0)) throw new UsageError(`${option} wants a number above 0, not "${text}"`);
  return value;
}

function printJson(rows: readonly TableRow[]): void {
  const [only] = rows;
  if (rows.length === 1 && only && 'result' in only) console.log(JSON.stringify(only.result, null, 2));
  else {
    for (const row of rows) {
      console.log(JSON.stringify('error' in row ? row : { path: row.path, result: row.result }));
    }
  }
}

function writeResults(rows: readonly TableRow[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  const taken = new Set<string>();
  for (const row of rows) {
    if ('error' in row) {
      console.error(`${row.path}: ${row.error}`);
      continue;
    }
    const stem = basename(row.path, extname(row.path));
    // Two folders may hold a song of the same name; neither may overwrite the other.
    let name = stem;
    for (let copy = 2; taken.has(name); copy++) name = `${stem}-${copy}`;
    taken.add(name);
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(row.result, null, 2)}\n`);
  }
}

async function writeReport(row: TableRow, path: string): Promise<void> {
  if ('error' in row) return;
  const source = {
    analysisId: basename(row.path),
    fileName: basename(row.path),
    completedAt: new Date(row.result.provenance.analysed_at),
    document: row.result,
  };
  const report = path.endsWith('.pdf')
    ? await writeReportPdf(source, row.visuals)
    : writeReportHtml(source, row.visuals);
  writeFileSync(path, report);
}
