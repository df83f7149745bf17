/** The program again, as a process that analyses songs for another, one after the other (engine-processes.ts). */

import { once } from 'node:events';
import { type AnalysisHints, ParameterError } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import type { ExportSource } from '@earshot/exports';
import { analyseHere } from './analyse-here.ts';
import { SongFailed } from './song.ts';
import { makeV8Patient } from './v8-patience.ts';

export type ToEngine = { path: string; hints: AnalysisHints };
export type FromEngine =
  | { kind: 'progress'; fraction: number }
  | { kind: 'song'; source: ExportSource }
  | { kind: 'failed'; message: string }
  | { kind: 'hints_refused'; message: string }
  | { kind: 'broken'; error: unknown };

/** A message for each percent, not for each block. */
const PROGRESS_STEP_FRACTION = 0.01;

/** Until the program that started this one disconnects, or ends. */
export async function answerOrders(): Promise<void> {
  makeV8Patient();
  const models = loadModels();
  // Sending fails when the other program is gone, and then `disconnect` follows.
  const send = (answer: FromEngine): void => void process.send!(answer, undefined, undefined, () => {});
  process.on('message', async ({ path, hints }: ToEngine) => {
    let toldFraction = 0;
    const onProgress = (fraction: number): void => {
      if (fraction < toldFraction + PROGRESS_STEP_FRACTION) return;
      toldFraction = fraction;
      send({ kind: 'progress', fraction });
    };
    try {
      send({ kind: 'song', source: await analyseHere(path, { hints, models, onProgress }) });
    } catch (error) {
      // An error arrives there without its class.
      if (error instanceof SongFailed) send({ kind: 'failed', message: error.message });
      else if (error instanceof ParameterError) send({ kind: 'hints_refused', message: error.message });
      else send({ kind: 'broken', error });
    }
  });
  await once(process, 'disconnect');
  process.exit();
}
