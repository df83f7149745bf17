/** This program as an engine process: analyses one song at a time for the one that started it (engine-processes.ts). */

import { once } from 'node:events';
import { type AnalysisHints, ParameterError } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import type { ExportSource } from '@earshot/exports';
import { analyseHere } from './analyse-here.ts';
import { raiseOptimizationThresholds } from './raise-optimization-thresholds.ts';
import { SongFailed } from './song.ts';

export type ToEngine = { path: string; hints: AnalysisHints };
export type FromEngine =
  | { kind: 'progress'; fraction: number }
  | { kind: 'song'; source: ExportSource }
  | { kind: 'failed'; message: string }
  | { kind: 'hints_refused'; message: string }
  | { kind: 'broken'; error: unknown; systemFields: SystemFields };
/** What Node adds to an error of the operating system; explain-failure.ts knows it by them. */
type SystemFields = Pick<NodeJS.ErrnoException, 'code' | 'syscall' | 'path'>;

/** One message per percent, not per block. */
const PROGRESS_STEP_FRACTION = 0.01;

/** Runs until the parent process disconnects or ends. */
export async function serveEngineRequests(): Promise<void> {
  raiseOptimizationThresholds();
  const models = loadModels();
  // Sending fails when the parent has gone; then `disconnect` follows.
  const send = (answer: FromEngine): void => void process.send!(answer, undefined, undefined, () => {});
  process.on('message', async ({ path, hints }: ToEngine) => {
    let sentFraction = 0;
    const onProgress = (fraction: number): void => {
      if (fraction < sentFraction + PROGRESS_STEP_FRACTION) return;
      sentFraction = fraction;
      send({ kind: 'progress', fraction });
    };
    try {
      send({ kind: 'song', source: await analyseHere(path, { hints, models, onProgress }) });
    } catch (error) {
      // The message channel loses the class of an error and the fields that were added to it.
      if (error instanceof SongFailed) send({ kind: 'failed', message: error.message });
      else if (error instanceof ParameterError) send({ kind: 'hints_refused', message: error.message });
      else send({ kind: 'broken', error, systemFields: systemFieldsOf(error) });
    }
  });
  await once(process, 'disconnect');
  process.exit();
}

function systemFieldsOf(error: unknown): SystemFields {
  const fields = Object.entries(error as object);
  return Object.fromEntries(fields.filter(([name]) => ['code', 'syscall', 'path'].includes(name)));
}
