/** `earshot analyze FILE...` */

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { loadModels } from '@earshot/engine/models';
import { EXIT } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { type Retry, retryWhileUnreachable } from '../retry-while-unreachable.ts';
import { runWorkers } from '../run-workers.ts';
import { UsageError } from '../usage-error.ts';
import { createLocalAnalyser } from './analyse-here.ts';
import { type AnalyzeOptions, checkAgainstFiles, readAnalyzeOptions } from './analyze-options.ts';
import { createEngineProcesses } from './engine-processes.ts';
import { findAudioFiles, isInside } from './find-audio-files.ts';
import { createOutputs, type Outputs } from './outputs.ts';
import { createPrinter, formatJsonLine } from './printer.ts';
import { createProgress, type Progress } from './progress.ts';
import { raiseOptimizationThresholds } from './raise-optimization-thresholds.ts';
import { type Analyser, type Outcome, SongFailed } from './song.ts';
import { formatLine } from './table.ts';
import { watchFolders } from './watch-folders.ts';

/** Soon enough for a person, and cheap even on a network drive. */
const WATCH_INTERVAL_MS = 1_000;
/** Together with the retries of each request, an unreachable service gets a few requests in ten seconds. */
const RETRY_INTERVAL_MS = 5_000;

export async function runAnalyze(args: readonly string[]): Promise<number> {
  const options = readAnalyzeOptions(args);
  return options.watch ? watch(options) : analyseAll(options);
}

async function analyseAll(options: AnalyzeOptions): Promise<number> {
  let warningCount = 0;
  const files = findAudioFiles(options.inputs, {
    exceptFolder: options.outFolder,
    warn(sentence) {
      warningCount++;
      console.error(printable(sentence));
    },
  });
  checkAgainstFiles(options, files);
  const songsAtOnce = Math.min(options.songsAtOnceMax, files.length);
  const engines = !options.remote && songsAtOnce > 1 ? createEngineProcesses(options.hints) : null;
  try {
    const analyse = engines?.analyse ?? (await createAnalyser(options));
    const exitCode = await analyseEach(files, { analyse, songsAtOnce, options });
    return warningCount > 0 ? EXIT.someFailed : exitCode;
  } finally {
    engines?.close();
  }
}

async function analyseEach(
  files: readonly string[],
  { analyse, songsAtOnce, options }: { analyse: Analyser; songsAtOnce: number; options: AnalyzeOptions },
): Promise<number> {
  const write = createOutputs(options, files);
  const progress = createProgress(process.stderr, { enabled: options.progress, songCount: files.length });
  const printer = createPrinter(options, files.length, (text) => {
    progress.clear();
    process.stdout.write(text);
  });
  const problems: string[] = [];
  const waiting = [...files.entries()];
  let analysedCount = 0;
  let failedCount = 0;
  const analyseWaiting = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, path] = next;
      const { outcome, problems: problemsOfSong } = await analyseOne(path, analyse, write, progress);
      analysedCount++;
      await printer.add(index, outcome);
      if ('error' in outcome) failedCount++;
      problems.push(...problemsOfSong);
    }
  };
  const failure = await runWorkers(songsAtOnce, analyseWaiting, () => {
    waiting.length = 0;
  });
  progress.clear();
  if (analysedCount > 0 || !failure) printer.finish();
  for (const problem of problems) console.error(printable(problem));
  if (failure) throw failure.error;
  return problems.length > 0 || failedCount > 0 ? EXIT.someFailed : EXIT.ok;
}

async function watch(options: AnalyzeOptions): Promise<number> {
  const noFolder = options.inputs.find((input) => !statSync(input, { throwIfNoEntry: false })?.isDirectory());
  if (noFolder !== undefined) throw new UsageError(`--watch wants folders, and ${noFolder} is not a folder`);
  if (options.report) throw new UsageError('--report writes about one song; with --watch, use --out');
  if (options.csv !== null)
    throw new UsageError('--csv is written when all songs are done; with --watch, use --json');
  const { outFolder } = options;
  if (options.formats.length > 0 && outFolder === null)
    throw new UsageError('--format writes files for each song; with --watch, name a folder with --out');
  const insideOut = options.inputs.find((input) => outFolder !== null && isInside(input, outFolder));
  if (insideOut !== undefined)
    throw new UsageError(`--watch skips files below --out, and all of ${insideOut} is below it`);
  const stopping = new AbortController();
  const progress = createProgress(process.stderr, { enabled: options.progress, songCount: 1 });
  const notify = (sentence: string) => {
    progress.clear();
    console.error(sentence);
  };
  const retry: Retry = (work) =>
    retryWhileUnreachable(work, { signal: stopping.signal, waitMs: RETRY_INTERVAL_MS, notify });
  const analyse = await createAnalyser(options, retry);
  const write = createOutputs(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  console.error(`Watching ${options.inputs.join(', ')}. Ctrl+C ends it.`);
  const paths = watchFolders(options.inputs, {
    exceptFolder: options.outFolder,
    intervalMs: WATCH_INTERVAL_MS,
    warn: (sentence) => console.error(printable(sentence)),
    signal: stopping.signal,
  });
  for await (const path of paths) {
    const done = await analyseOne(path, analyse, write, progress).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    progress.clear();
    if (!done) break;
    const { outcome, problems } = done;
    console.log(options.json ? formatJsonLine(outcome) : formatLine(outcome));
    for (const problem of problems) console.error(printable(problem));
  }
  return EXIT.ok;
}

async function createAnalyser(options: AnalyzeOptions, retry?: Retry): Promise<Analyser> {
  if (!options.remote) {
    raiseOptimizationThresholds();
    return createLocalAnalyser(options.hints, loadModels());
  }
  const { connect } = await import('../account/connect.ts');
  const { createRemoteAnalyser } = await import('./analyse-remote.ts');
  return createRemoteAnalyser(connect({ service: options.service }).earshot, options.hints, retry);
}

async function analyseOne(
  path: string,
  analyse: Analyser,
  write: Outputs,
  progress: Progress,
): Promise<{ outcome: Outcome; problems: string[] }> {
  const bar = progress.start(basename(path));
  try {
    const song = await analyse(path, bar.update);
    return { outcome: song, problems: await write(song) };
  } catch (error) {
    if (error instanceof SongFailed) return { outcome: { path, error: error.message }, problems: [] };
    throw error;
  } finally {
    bar.end();
  }
}
