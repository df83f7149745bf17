/** `earshot analyze FILE...` */

import { statSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import { loadModels } from '@earshot/engine/models';
import { EXIT } from '../exit-codes.ts';
import { createPatience, type Patience } from '../patience.ts';
import { printable } from '../printable.ts';
import { UsageError } from '../usage-error.ts';
import { workTogether } from '../work-together.ts';
import { createLocalAnalyser } from './analyse-here.ts';
import { type AnalyzeOptions, checkAgainstFiles, readAnalyzeOptions } from './analyze-options.ts';
import { createEngineProcesses } from './engine-processes.ts';
import { findAudioFiles } from './find-audio-files.ts';
import { createOutputs, type Outputs } from './outputs.ts';
import { createPrinter, formatJsonLine } from './printer.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Analyser, type Outcome, SongFailed } from './song.ts';
import { formatLine } from './table.ts';
import { makeV8Patient } from './v8-patience.ts';
import { watchFolders } from './watch-folders.ts';

/** Chosen: soon enough for a person, and cheap even for a network drive. */
const WATCH_INTERVAL_MS = 1_000;
/** Chosen: with the tries that a request has of its own, a service that is away is asked a few times in ten seconds. */
const AWAY_INTERVAL_MS = 5_000;

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
  let heardCount = 0;
  let failedCount = 0;
  const analyseWaiting = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, path] = next;
      const { outcome, problems: found } = await analyseOne(path, analyse, write, progress);
      heardCount++;
      await printer.take(index, outcome);
      if ('error' in outcome) failedCount++;
      problems.push(...found);
    }
  };
  const failure = await workTogether(songsAtOnce, analyseWaiting, () => {
    waiting.length = 0;
  });
  progress.clear();
  if (heardCount > 0 || !failure) printer.finish();
  for (const problem of problems) console.error(printable(problem));
  if (failure) throw failure.error;
  return problems.length > 0 || failedCount > 0 ? EXIT.someFailed : EXIT.ok;
}

async function watch(options: AnalyzeOptions): Promise<number> {
  const strange = options.inputs.find((input) => !statSync(input, { throwIfNoEntry: false })?.isDirectory());
  if (strange !== undefined) throw new UsageError(`--watch wants folders, and ${strange} is none`);
  if (options.report) throw new UsageError('--report writes about one song; with --watch, use --out');
  if (options.csv !== null)
    throw new UsageError('--csv is written when all songs are done; with --watch, use --json');
  const { outFolder } = options;
  const own = options.inputs.find((input) => outFolder !== null && isBelow(resolve(input), outFolder));
  if (own !== undefined)
    throw new UsageError(`--watch leaves out what lies below --out, and so does all of ${own}`);
  const stopping = new AbortController();
  const progress = createProgress(process.stderr, { enabled: options.progress, songCount: 1 });
  const patience = createPatience({
    signal: stopping.signal,
    waitMs: AWAY_INTERVAL_MS,
    tell(sentence) {
      progress.clear();
      console.error(sentence);
    },
  });
  const analyse = await createAnalyser(options, patience);
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

function isBelow(path: string, folder: string): boolean {
  return `${path}${sep}`.startsWith(`${folder}${sep}`);
}

async function createAnalyser(options: AnalyzeOptions, patience?: Patience): Promise<Analyser> {
  if (!options.remote) {
    makeV8Patient();
    return createLocalAnalyser(options.hints, loadModels());
  }
  const { connect } = await import('../account/connect.ts');
  const { createRemoteAnalyser } = await import('./analyse-remote.ts');
  return createRemoteAnalyser(connect({ service: options.service }).earshot, options.hints, patience);
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
