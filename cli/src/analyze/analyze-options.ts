/** Reads and checks the options of `earshot analyze`. */

import { realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { AnalysisHints } from '@earshot/engine';
import { EXPORTS, type ExportFormat } from '@earshot/exports';
import { FLAG, readArgs, readSongsAtOnce, TEXT } from '../read-args.ts';
import { UsageError } from '../usage-error.ts';
import type { ReportFormat } from './song.ts';

export type AnalyzeOptions = {
  inputs: string[];
  hints: AnalysisHints;
  json: boolean;
  formats: ExportFormat[];
  outFolder: string | null;
  report: { path: string; format: ReportFormat } | null;
  /** File for the table of all songs; "-" is the standard output. */
  csv: string | null;
  writeTags: boolean;
  /** Whether the tags include the genre. */
  writeGenre: boolean;
  watch: boolean;
  remote: boolean;
  service: string | undefined;
  songsAtOnceMax: number;
  progress: boolean;
};

/** For tagged copies, when --out is not given. */
const TAGGED_FOLDER = 'tagged';
/** So that uploads of some songs overlap with the analysis of others. */
const REMOTE_SONGS_AT_ONCE = 4;

export function readAnalyzeOptions(args: readonly string[]): AnalyzeOptions {
  const { values, positionals: inputs } = readArgs(args, {
    json: FLAG,
    format: { type: 'string', multiple: true, default: [] },
    out: TEXT,
    report: TEXT,
    csv: TEXT,
    'write-tags': FLAG,
    genre: FLAG,
    watch: FLAG,
    remote: FLAG,
    service: TEXT,
    parallel: TEXT,
    bpm: TEXT,
    'bpm-min': TEXT,
    'bpm-max': TEXT,
    key: TEXT,
    meter: TEXT,
    'no-progress': FLAG,
  });
  if (inputs.length === 0)
    throw new UsageError('name at least one audio file or a folder with some. Try: earshot --help');
  const writeTags = values['write-tags'];
  if (values.genre && !writeTags) throw new UsageError('--genre says what --write-tags writes: name both');
  if (!values.remote && values.service !== undefined)
    throw new UsageError('--service goes with --remote: without it songs are analysed on this machine');
  if (values.watch && values.parallel !== undefined)
    throw new UsageError('--watch analyses songs one at a time, as they come: --parallel has no part in it');
  return {
    inputs,
    hints: {
      bpm: readHint('--bpm', values.bpm),
      bpmMin: readHint('--bpm-min', values['bpm-min']),
      bpmMax: readHint('--bpm-max', values['bpm-max']),
      key: values.key,
      timeSignature: readHint('--meter', values.meter),
    },
    json: values.json,
    formats: values.format.flatMap((list) => list.split(',')).map(readFormat),
    outFolder: resolveOut(values.out, writeTags),
    report: values.report === undefined ? null : readReport(values.report),
    csv: readCsv(values.csv, values.json, values.format),
    writeTags,
    writeGenre: values.genre,
    watch: values.watch,
    remote: values.remote,
    service: values.service,
    songsAtOnceMax:
      readSongsAtOnce(values.parallel) ?? (values.remote ? REMOTE_SONGS_AT_ONCE : availableParallelism()),
    progress: !values['no-progress'],
  };
}

/** Checks that need the list of files. */
export function checkAgainstFiles(options: AnalyzeOptions, files: readonly string[]): void {
  if (files.length === 0) {
    const hint = options.outFolder === null ? 'Try: earshot --help' : 'Files below --out are skipped';
    throw new UsageError(`name at least one audio file or a folder with some. ${hint}`);
  }
  const original = options.writeTags
    ? files.find((path) => isSameFolder(dirname(realpathSync(path)), options.outFolder!))
    : undefined;
  if (original !== undefined)
    throw new UsageError(
      `tagged copies would replace songs in ${options.outFolder}, which contains ${original}: name another folder with --out`,
    );
  if (options.report && files.length > 1) throw new UsageError('--report writes about one song at a time');
  if (options.formats.length === 0 || options.outFolder !== null) return;
  if (files.length > 1 || options.formats.length > 1 || options.json)
    throw new UsageError('several songs or formats do not fit into one output: name a folder with --out');
}

function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

function resolveOut(out: string | undefined, writeTags: boolean): string | null {
  if (out !== undefined) return resolve(out);
  return writeTags ? join(process.cwd(), TAGGED_FOLDER) : null;
}

function readFormat(name: string): ExportFormat {
  if (Object.hasOwn(EXPORTS, name)) return name as ExportFormat;
  throw new UsageError(`there is no format "${name}". There are: ${Object.keys(EXPORTS).join(', ')}`);
}

/** Only one thing can go to the standard output. */
function readCsv(path: string | undefined, json: boolean, formats: readonly string[]): string | null {
  if (path === '-' && (json || formats.length > 0))
    throw new UsageError('--csv - prints the table; name a file for it to print something else too');
  if (path !== undefined && path !== '-') checkFolderOf('--csv', path);
  return path ?? null;
}

function readReport(path: string): { path: string; format: ReportFormat } {
  const format = /\.(html|pdf)$/.exec(path)?.[1];
  if (!format) throw new UsageError(`--report wants a name ending in .html or .pdf, not "${path}"`);
  checkFolderOf('--report', path);
  return { path, format: format as ReportFormat };
}

/** Before the analysis, so that a mistyped path is reported at once. */
function checkFolderOf(option: string, path: string): void {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${option}: there is no folder ${folder}`);
}

function readHint(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0)) throw new UsageError(`${option} wants a number above 0, not "${text}"`);
  return value;
}
